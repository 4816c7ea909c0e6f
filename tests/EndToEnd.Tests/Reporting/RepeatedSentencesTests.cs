namespace ScaleOut.Tests.EndToEnd.Reporting;

/// <summary>What holds for all variants or findings of an experiment is said once, and not beside each of them.</summary>
public sealed partial class RepeatedSentencesTests
{
    private const int Pairs = 12;
    private const int MinLength = 45;
    private const int MaxTimes = 3;

    private static readonly IEnumerable<int> Indices = Enumerable.Range(10, Pairs);

    [Theory]
    [InlineData(false, "is no evidence and has no verdict")]
    [InlineData(true, DelayReport.BusyMachine)]
    public void Html_ManyVariantsAndFindings_RepeatsNoSentence(bool slipped, string once)
    {
        var report = MeasuredExperiment.From(
            [.. Indices.Select(i => ($"peak {i}", i, new[] { 100 + i, 101.0 + i, 102 + i }, (double?)(50 + (20 * i))))],
            findings: [.. Indices.Select(i => new FindingSpec
            {
                Id = $"network-{i}", Kind = FindingKind.LowLatencyNetwork, Variants = [$"far {i}", $"near {i}"],
            })],
            more: [.. Indices.SelectMany(i => new[]
            {
                ($"far {i}", "cross-region", new[] { 13, 13.4, 13.1 }),
                ($"near {i}", "same-region", [300 + (9 * i), 311 + (9 * i), 302 + (9 * i)]),
            })],
            figures: (_, _, figures) => figures with { DelaysSlipped = slipped });
        var page = XDocument.Parse(SampleForms.From(ExperimentForms.Kind, report)["report.html"]);

        var clauses = page.Descendants("main").DescendantNodes().OfType<XText>()
            .Where(text => text.Parent!.Name.LocalName is not ("script" or "h3"))
            .SelectMany(text => ClauseEnd().Split(VariantName().Replace(text.Value, "$1")))
            .Select(clause => clause.Trim()).Where(clause => clause.Length >= MinLength).ToList();
        Assert.Equal(Pairs, report.Findings.Count);
        Assert.Empty(clauses.GroupBy(clause => clause).Where(same => same.Count() > MaxTimes).Select(same => same.Key));
        Assert.Contains(once, page.ToString(), StringComparison.Ordinal);
    }

    [GeneratedRegex("[.;:] ")]
    private static partial Regex ClauseEnd();

    [GeneratedRegex(@"\b(peak|far|near) \d+")]
    private static partial Regex VariantName();
}
