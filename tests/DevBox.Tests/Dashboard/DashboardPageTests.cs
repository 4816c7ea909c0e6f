using ScaleOut.DevBox.Dashboard;

namespace ScaleOut.Tests.DevBox.Dashboard;

/// <summary>The form of the page has its own labels. Its fields, names and defaults are those of the specs.</summary>
public sealed partial class DashboardPageTests
{
    // Inputs that are no fields: the form makes variants, repeats and a condition from them.
    private static readonly string[] OfTheForm = ["vary", "values", "repeats", "failIf"];

    private static readonly JsonObject Run = RunSpecReader.Schema();
    private static readonly JsonObject Experiment = ExperimentSpecReader.Schema();

    private static readonly string Page = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "DevBox", "Dashboard", "index.html"));

    [Fact]
    public void Fields_OfTheForm_AreThoseOfASpec()
    {
        var paths = Field().Matches(Page).Select(match => match.Groups["path"].Value).Except(OfTheForm).ToList();
        Assert.True(paths.Count > 20, $"only {paths.Count} fields are found");
        Assert.All(paths, path => Assert.NotNull(FieldAt(path)));
    }

    [Fact]
    public void Options_OfAField_AreItsNames()
    {
        var choices = Select().Matches(Page).ToDictionary(
            match => match.Groups["path"].Value,
            match => Option().Matches(match.Groups["options"].Value).Select(option => option.Groups["value"].Value).ToList());

        Assert.All(choices["vary"], path => Assert.NotNull(FieldAt(path)));
        // The steps of an action are fields of a spec that is given as JSON.
        Assert.Equal(EnumNames.From(typeof(WorkloadKind)).Keys.Except(["action"]).Order(), choices["workload.kind"].Order());
        Assert.All(
            choices.Where(choice => choice.Key != "vary"),
            choice => Assert.Subset(
                FieldAt(choice.Key)!["anyOf"]![0]!["enum"]!.AsArray().Select(name => (string)name!).Append("").ToHashSet(),
                choice.Value.ToHashSet()));
    }

    /// <summary>All figures that the form shows come from the program. The page itself has none.</summary>
    [Fact]
    public void Placeholders_OfNumbers_HaveNoFigures()
    {
        var numbers = Field().Matches(Page).Where(match => match.Groups["number"].Success).ToList();
        Assert.True(numbers.Count > 10, $"only {numbers.Count} numbers are found");
        Assert.All(numbers, match => Assert.DoesNotMatch("[0-9]", match.Groups["placeholder"].Value));
    }

    [Fact]
    public void Facts_OfFields_AreTheirDefaultsAndNames()
    {
        var facts = PageFacts.Create()["fields"]!;
        Assert.Equal($"{new RunSpec().Workers}", $"{facts["workers"]!["default"]}");
        Assert.Equal($"{new RunSpec().Container.Throughput}", $"{facts["container.throughput"]!["default"]}");
        Assert.Equal($"{ClientSpec.DefaultConcurrency}", $"{facts["client.concurrency"]!["default"]}");
        Assert.Equal($"{WorkloadSpec.DefaultBatchSize}", $"{facts["workload.batchSize"]!["default"]}");
        Assert.Equal($"{new LimitSpec().StepDuration}", $"{facts["limit.stepDuration"]!["default"]}");
        Assert.Equal(LatencyProfile.SameRegion.Name, (string?)facts["simulation.latency"]!["default"]);
        Assert.Equal(EnumNames.From(typeof(DocumentKind)).Keys, facts["document.kind"]!["names"]!.AsArray().Select(name => (string)name!));
    }

    private static JsonObject? FieldAt(string path) => FieldIn(Run, path) ?? FieldIn(Experiment, path);

    private static JsonObject? FieldIn(JsonObject schema, string path) =>
        path.Split('.').Aggregate((JsonNode?)schema, (inner, name) => inner?["properties"]?[name]) as JsonObject;

    [GeneratedRegex("""data-path="(?<path>[^"]+)"(?<number> data-number)?([^>]*? placeholder="(?<placeholder>[^"]*)")?[^>]*>""")]
    private static partial Regex Field();

    [GeneratedRegex("""<select [^>]*data-path="(?<path>[^"]+)"[^>]*>(?<options>.*?)</select>""", RegexOptions.Singleline)]
    private static partial Regex Select();

    [GeneratedRegex("""<option value="(?<value>[^"]*)">""")]
    private static partial Regex Option();
}
