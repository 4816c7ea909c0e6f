using System.Text.Json.Nodes;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Specs;

public sealed class PlansTests
{
    public static TheoryData<string> Files =>
    [
        .. new DirectoryInfo(RepositoryFiles.Plans).GetFiles("*.json").Select(file => file.Name).Where(name => !name.EndsWith(".schema.json", StringComparison.Ordinal)),
    ];

    [Theory]
    [MemberData(nameof(Files))]
    public void Read_PlanOfTheRepository_IsValidAndNamesItsSchema(string file)
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file));

        Assert.Empty(RunSpecReader.Read(text).Faults);
        Assert.Equal("./run.schema.json", JsonNode.Parse(text)!["$schema"]!.GetValue<string>());
    }

    [Fact]
    public void Read_Million_IsTheDefaultRun()
    {
        var plan = RunSpecReader.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, "million.json"))).Spec!;
        var defaults = new RunSpec();

        Assert.Equal(defaults.SettingsOf(0), plan.SettingsOf(0));
        Assert.Equivalent(defaults, plan with { Name = null, Client = defaults.Client }, strict: true);
    }
}
