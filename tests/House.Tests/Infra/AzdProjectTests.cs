namespace ScaleOut.Tests.Infra;

public sealed partial class AzdProjectTests
{
    private static readonly string Project = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "azure.yaml"));

    [Fact]
    public void Project_Infrastructure_NamesFilesThatExist()
    {
        var (path, module) = (ValueOf("path"), ValueOf("module"));
        Assert.True(File.Exists(Path.Combine(RepositoryFiles.Root, path, module + ".bicep")));
        Assert.True(File.Exists(Path.Combine(RepositoryFiles.Root, path, module + ".parameters.json")));
    }

    [Fact]
    public void Project_Service_IsAProject() =>
        Assert.Single(Directory.GetFiles(Path.Combine(RepositoryFiles.Root, ValueOf("project")), "*.csproj"));

    [Fact]
    public void Project_Hooks_AreAllHooksOfTheRepository()
    {
        var hooks = Hook().Matches(Project).Select(match => match.Groups["file"].Value["./infra/".Length..]);
        Assert.Equal(InfraFiles.Hooks, hooks.Order(StringComparer.Ordinal));
    }

    /// <summary>azd finds the Function App that a service goes to by this tag.</summary>
    [Fact]
    public void Project_Service_IsTheTagOfTheFunctionApp()
    {
        var service = Service().Match(Project).Groups["name"].Value;
        Assert.Equal(service, (string)Deployment.Default.OfType("Microsoft.Web/sites").Single()["tags"]!["azd-service-name"]!);
    }

    /// <summary>The dev container and the pipeline have the first version that the project accepts, and the documents name it.</summary>
    [Fact]
    public void Project_VersionOfAzd_IsThatOfContainerPipelineAndDocuments()
    {
        var required = Regex.Match(Project, @"^  azd: "">= (?<version>\d+\.\d+\.\d+)""$", RegexOptions.Multiline).Groups["version"].Value;
        var container = JsonNode.Parse(InfraFiles.ReadTop(".devcontainer/devcontainer.json"))!["features"]!.AsObject()
            .Single(feature => feature.Key.Contains("/azd:", StringComparison.Ordinal)).Value!;

        Assert.NotEmpty(required);
        Assert.Equal(required, (string)container["version"]!);
        Assert.Matches(
            $@"Azure/setup-azd@\S+ # v\S+\n        with:\n          version: {Regex.Escape(required)}\n",
            InfraFiles.ReadTop(".github/workflows/azure-dev.yml"));
        Assert.All(
            ["docs/azure.md", "infra/FIRST-DEPLOYMENT.md"],
            document => Assert.Contains($"{required} or later", InfraFiles.ReadTop(document), StringComparison.Ordinal));
    }

    /// <summary>A hook reads outputs of the deployment, variables of parameters, and the subscription, which azd sets by itself.</summary>
    [Theory]
    [InlineData("predown", 3)]
    [InlineData("postprovision", 10)]
    public void Hook_Variables_AreInTheEnvironmentOfAzd(string hook, int count)
    {
        var known = Deployment.Outputs.Concat(InfraFiles.Variables).Append("AZURE_SUBSCRIPTION_ID").ToHashSet();
        var variables = VariablesIn($"hooks/{hook}.sh");
        Assert.Equal(count, variables.Count);
        Assert.Subset(known, variables);
        Assert.Equal(variables, VariablesIn($"hooks/{hook}.ps1"));
    }

    private static HashSet<string> VariablesIn(string hook) =>
        [.. Variable().Matches(InfraFiles.Read(hook)).Select(match => match.Groups["name"].Value)];

    private static string ValueOf(string key) =>
        Regex.Match(Project, $@"^ +{key}: (?<value>\S+)$", RegexOptions.Multiline).Groups["value"].Value;

    [GeneratedRegex(@"^ +run: (?<file>\S+)$", RegexOptions.Multiline)]
    private static partial Regex Hook();

    [GeneratedRegex(@"^services:\n(  #.*\n)*  (?<name>\w+):$", RegexOptions.Multiline)]
    private static partial Regex Service();

    [GeneratedRegex(@"\$(env:|\{)?(env:)?(?<name>[A-Z]{2,}(_[A-Z]+)+)")]
    private static partial Regex Variable();
}
