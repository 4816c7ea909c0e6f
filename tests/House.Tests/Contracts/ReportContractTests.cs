using ScaleOut.Sizing;

namespace ScaleOut.Tests.Contracts;

/// <summary>The JSON of reports and results, in <c>docs/contracts/reports.txt</c>.</summary>
public sealed class ReportContractTests
{
    private const string Reports = "reports.txt";
    private const string StoredFields = "each report.json";

    /// <summary>The sections of the file. Names of reports are those of <see cref="SampleForms.From(string)"/>.</summary>
    private static readonly (string Heading, Type Type)[] Sections =
    [
        ("run", typeof(RunReport)), ("experiment", typeof(ExperimentReport)), ("limit", typeof(LimitReport)),
        ("compare", typeof(ComparisonReport)), ("size", typeof(SizeResult)),
    ];

    [Fact]
    public void Fields_OfTheTypes_AreThoseOfTheContract() => Contract.AssertIs(
        Reports,
        [
            $"# {StoredFields}", .. Written(new { Field = 1 }).Where(name => name != "field"),
            .. Sections.SelectMany(section => JsonFields.Of(section.Type, SpecPart).Prepend($"# {section.Heading}").Prepend("")),
        ],
        nameof(ReportContractTests));

    /// <summary>The serializer's converters could write something else than its types say.</summary>
    [Theory]
    [InlineData("run")]
    [InlineData("experiment")]
    [InlineData("limit")]
    public void Fields_AsWritten_AreAmongThoseOfTheContract(string kind)
    {
        var listed = Contract.Section(Reports, kind)
            .Concat(Contract.Section(Reports, StoredFields).Select(name => $"{name}: text")).ToList();

        var unlisted = JsonFields.Unlisted(JsonNode.Parse(SampleForms.From(kind)[JobFiles.ReportName])!, listed);

        Assert.Empty(unlisted);
    }

    internal static string? SpecPart(Type type) =>
        type == typeof(LatencyQuantile) ? "[share, number]"
        : type == typeof(ExperimentSpec) ? "object as in plans/experiment.schema.json"
        : type.Namespace == typeof(RunSpec).Namespace && !type.IsEnum ? "object as in plans/run.schema.json"
        : null;

    private static IEnumerable<string> Written<T>(T value)
        where T : class =>
        JsonNode.Parse(StoredItem.Write("sample", value))!.AsObject().Select(field => field.Key);
}
