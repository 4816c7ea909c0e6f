using System.Text.RegularExpressions;
using ScaleOut.Tests.Specs;

namespace ScaleOut.Tests.Infra;

public sealed partial class AzdProjectTests
{
    private static readonly string Project = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "azure.yaml"));

    [Fact]
    public void Project_Infrastructure_IsThere()
    {
        var (path, module) = (ValueOf("path"), ValueOf("module"));

        Assert.True(File.Exists(Path.Combine(RepositoryFiles.Root, path, module + ".bicep")));
        Assert.True(File.Exists(Path.Combine(RepositoryFiles.Root, path, module + ".parameters.json")));
    }

    [Fact]
    public void Project_Service_IsAProject() =>
        Assert.Single(Directory.GetFiles(Path.Combine(RepositoryFiles.Root, ValueOf("project")), "*.csproj"));

    [Fact]
    public void Project_Hooks_AreThere()
    {
        var hooks = Hook().Matches(Project).Select(match => match.Groups["file"].Value).ToArray();

        Assert.Equal(["./infra/hooks/predown.sh", "./infra/hooks/predown.ps1"], hooks);
        Assert.All(hooks, hook => Assert.True(File.Exists(Path.Combine(RepositoryFiles.Root, hook)), hook));
    }

    /// <summary>azd finds the Function App that a service goes to by this tag.</summary>
    [Fact]
    public void Project_Service_IsTheTagOfTheFunctionApp() =>
        Assert.Contains($"'azd-service-name': '{Service().Match(Project).Groups["name"].Value}'", InfraFiles.Read("app/function.bicep"), StringComparison.Ordinal);

    /// <summary>What a hook reads is what azd sets by itself or what the deployment puts out.</summary>
    [Theory]
    [InlineData("hooks/predown.sh")]
    [InlineData("hooks/predown.ps1")]
    public void Hook_Variables_AreOutputsOfTheDeployment(string hook)
    {
        var outputs = Output().Matches(InfraFiles.Read("main.bicep")).Select(match => match.Groups["name"].Value);

        var variables = Variable().Matches(InfraFiles.Read(hook)).Select(match => match.Groups["name"].Value).ToHashSet();

        Assert.Equal(4, variables.Count);
        Assert.Subset(outputs.Append("AZURE_SUBSCRIPTION_ID").ToHashSet(), variables);
    }

    private static string ValueOf(string key) => Regex.Match(Project, $@"^ +{key}: (?<value>\S+)$", RegexOptions.Multiline).Groups["value"].Value;

    [GeneratedRegex(@"^ +run: (?<file>\S+)$", RegexOptions.Multiline)]
    private static partial Regex Hook();

    [GeneratedRegex(@"^services:\n(  #.*\n)*  (?<name>\w+):$", RegexOptions.Multiline)]
    private static partial Regex Service();

    [GeneratedRegex(@"^output (?<name>\w+) ", RegexOptions.Multiline)]
    private static partial Regex Output();

    [GeneratedRegex(@"\$(env:|\{)?(?<name>[A-Z]{2,}(_[A-Z]+)+)")]
    private static partial Regex Variable();
}
