namespace ScaleOut.Tests.EndToEnd.SpecFiles;

public sealed class PlansTests
{
    public static TheoryData<string> Files => [.. All()];

    public static TheoryData<string> ExperimentFiles =>
        [.. All().Where(name => ExperimentSpecReader.IsExperiment(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, name))))];

    [Theory, MemberData(nameof(Files))]
    public void Read_PlanOfTheRepository_IsValidAndNamesItsSchema(string file)
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file));
        var (errors, schema) = ExperimentSpecReader.IsExperiment(text)
            ? (ExperimentSpecReader.Read(text, RunTarget.SimulatedAccount).Errors, "./experiment.schema.json")
            : (RunSpecReader.Read(text).Errors, "./run.schema.json");

        Assert.Empty(errors);
        Assert.Equal(schema, JsonNode.Parse(text)!["$schema"]!.GetValue<string>());
    }

    [Fact]
    public void Read_Million_IsTheDefaultRun()
    {
        var spec = RunSpecReader.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, "million.json"))).Value!;
        var defaults = new RunSpec();
        Assert.Equal(defaults.SettingsOf(0), spec.SettingsOf(0));
        Assert.Equivalent(defaults, spec with { Name = null, Client = defaults.Client }, strict: true);
    }

    [Fact]
    public void Findings_OfEveryKind_AreInAPlan() => Assert.Empty(Enum.GetValues<FindingKind>().Except(All()
        .Select(name => File.ReadAllText(Path.Combine(RepositoryFiles.Plans, name)))
        .Where(ExperimentSpecReader.IsExperiment)
        .SelectMany(text => ExperimentSpecReader.Read(text, RunTarget.SimulatedAccount).Value!.Findings)
        .Select(finding => finding.Kind)));

    private static IEnumerable<string> All() => new DirectoryInfo(RepositoryFiles.Plans).GetFiles("*.json").Select(file => file.Name)
        .Where(name => !name.EndsWith(".schema.json", StringComparison.Ordinal));
}
