namespace ScaleOut.Tests.Shared.Specs;

public sealed class PlansTests
{
    public static TheoryData<string> Files => [.. All(isExperiment: false)];

    public static TheoryData<string> ExperimentFiles => [.. All(isExperiment: true)];

    [Theory]
    [MemberData(nameof(Files))]
    public void Read_PlanOfTheRepository_IsValidAndNamesItsSchema(string file)
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file));

        Assert.Empty(RunSpecReader.Read(text).Errors);
        Assert.Equal("./run.schema.json", JsonNode.Parse(text)!["$schema"]!.GetValue<string>());
    }

    [Theory]
    [MemberData(nameof(ExperimentFiles))]
    public void Read_ExperimentOfTheRepository_IsValidAndNamesItsSchema(string file)
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file));

        Assert.Empty(ExperimentSpecReader.Read(text, RunTarget.SimulatedAccount).Errors);
        Assert.Equal("./experiment.schema.json", JsonNode.Parse(text)!["$schema"]!.GetValue<string>());
    }

    [Fact]
    public void Read_Million_IsTheDefaultRun()
    {
        var spec = RunSpecReader.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, "million.json"))).Value!;
        var defaults = new RunSpec();

        Assert.Equal(defaults.SettingsOf(0), spec.SettingsOf(0));
        Assert.Equivalent(defaults, spec with { Name = null, Client = defaults.Client }, strict: true);
    }

    private static IEnumerable<string> All(bool isExperiment) => new DirectoryInfo(RepositoryFiles.Plans).GetFiles("*.json")
        .Where(file => !file.Name.EndsWith(".schema.json", StringComparison.Ordinal)
            && ExperimentSpecReader.IsExperiment(File.ReadAllText(file.FullName)) == isExperiment)
        .Select(file => file.Name);
}
