namespace ScaleOut.Tests.Infra;

public sealed partial class WorkflowTests
{
    private const string DeployFile = ".github/workflows/azure-dev.yml";
    private const string ReleaseFile = ".github/workflows/release.yml";

    // A pipeline runs nothing locally, so it needs none of these.
    private static readonly string[] OfDevelopers = ["DEVELOPER_ACCESS", "DEVELOPER_PRINCIPAL_ID"];

    public static TheoryData<string> Files =>
    [
        .. Directory.GetFiles(Path.Combine(RepositoryFiles.Root, ".github", "workflows"))
            .Select(path => ".github/workflows/" + Path.GetFileName(path)),
    ];

    [Fact]
    public void Workflows_Files_AreThoseThatTheTestsKnow() => Assert.Equal(
        [DeployFile, ".github/workflows/ci.yml", ".github/workflows/codeql.yml", ReleaseFile, ".github/workflows/weekly.yml"],
        Files.Select(row => row.Data).Order(StringComparer.Ordinal));

    /// <summary>A tag can be moved to other code; a commit cannot.</summary>
    [Theory, MemberData(nameof(Files))]
    public void Workflows_Actions_ArePinnedByCommit(string file)
    {
        var actions = Action().Matches(InfraFiles.ReadTop(file)).Select(match => match.Groups["action"].Value).ToList();
        Assert.NotEmpty(actions);
        Assert.All(actions, action => Assert.Matches(@"^[\w-]+/[\w-]+(/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$", action));
    }

    [Fact]
    public void Actions_OfOneName_AreOneCommit()
    {
        var commits = Files.SelectMany(row => Action().Matches(InfraFiles.ReadTop(row.Data)))
            .Select(match => match.Groups["action"].Value).Distinct().GroupBy(action => action.Split('@')[0]);
        Assert.All(commits, ofName => Assert.Single(ofName));
    }

    /// <summary>Each folder with packages of npm, and each kind of version that the repository has.</summary>
    [Fact]
    public void Dependabot_Folders_AreAllThatHaveVersions()
    {
        var text = InfraFiles.ReadTop(".github/dependabot.yml");
        var folders = Directory.GetFiles(Path.Combine(RepositoryFiles.Root, "tests"), "package-lock.json", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(RepositoryFiles.Root, Path.GetDirectoryName(path)!).Replace('\\', '/'))
            .Where(path => !path.Contains("node_modules", StringComparison.Ordinal)).Select(path => "/" + path)
            .Order(StringComparer.Ordinal);

        Assert.Equal(
            ["nuget", "npm", "github-actions", "docker", "docker-compose", "devcontainers"],
            Regex.Matches(text, @"package-ecosystem: (?<kind>[\w-]+)").Select(match => match.Groups["kind"].Value));
        Assert.Contains($"  - package-ecosystem: npm\n    directories: [{string.Join(", ", folders)}]\n", text, StringComparison.Ordinal);
    }

    /// <summary>A tag of an image can be moved, too.</summary>
    [Fact]
    public void Dockerfile_Images_AreDigests() => Assert.Equal(2, Regex.Count(
        InfraFiles.ReadTop("Dockerfile"),
        @"^FROM mcr\.microsoft\.com/dotnet/\w+:10\.0@sha256:[0-9a-f]{64}( AS build)?$",
        RegexOptions.Multiline));

    /// <summary>The release says which commit and workflow made the package, and which packages it consists of.</summary>
    [Theory]
    [InlineData("attest-build-provenance")]
    [InlineData("sbom-action")]
    public void Workflows_Release_SaysWhatItMade(string action) =>
        Assert.Contains($"/{action}@", InfraFiles.ReadTop(ReleaseFile), StringComparison.Ordinal);

    [Fact]
    public void Workflows_Deployment_HasAnEnvironment() =>
        Assert.Contains("\n    environment: azure\n", InfraFiles.ReadTop(DeployFile), StringComparison.Ordinal);

    [Fact]
    public void Workflows_Release_PublishesNothing() => Assert.DoesNotMatch(
        @"nuget push|docker push|gh release|contents: write|packages: write|secrets\.", InfraFiles.ReadTop(ReleaseFile));

    [Theory, InlineData(DeployFile), InlineData(ReleaseFile)]
    public void Workflows_DeploymentOrRelease_StartsByHandOnly(string file)
    {
        var text = InfraFiles.ReadTop(file);
        Assert.Contains("\non:\n  workflow_dispatch:\n\n", text, StringComparison.Ordinal);
        Assert.DoesNotMatch(@"(?m)^  (push|pull_request|schedule|workflow_run):", text);
    }

    [Fact]
    public void Workflows_Deployment_SignsInWithoutSecrets()
    {
        var text = InfraFiles.ReadTop(DeployFile);
        Assert.Contains("\n  id-token: write\n", text, StringComparison.Ordinal);
        Assert.Contains("--federated-credential-provider github", text, StringComparison.Ordinal);
        Assert.DoesNotContain("secrets.", text, StringComparison.Ordinal);
    }

    /// <summary>The pipeline passes every variable that `azd env set` can change.</summary>
    [Fact]
    public void Deployment_Variables_AreThoseOfTheParameters()
    {
        var chosen = InfraFiles.Variables.Except(["AZURE_ENV_NAME", "AZURE_LOCATION", "AZURE_PRINCIPAL_TYPE", .. OfDevelopers]).ToList();
        var pipeline = InfraFiles.ReadTop("azure.yaml").Split("\npipeline:\n")[1];

        var copied = Listed().Matches(pipeline).Select(match => match.Groups["name"].Value);
        var read = Passed().Matches(InfraFiles.ReadTop(DeployFile)).Select(match => match.Groups["name"].Value);

        Assert.Equal(chosen, copied);
        Assert.Subset(read.ToHashSet(), chosen.Concat(["AZURE_ENV_NAME", "AZURE_LOCATION"]).ToHashSet());
        Assert.Contains("DEVELOPER_ACCESS: \"false\"", InfraFiles.ReadTop(DeployFile), StringComparison.Ordinal);
    }

    [GeneratedRegex(@"\buses: (?<action>.+)$", RegexOptions.Multiline)]
    private static partial Regex Action();

    [GeneratedRegex(@"^    - (?<name>[A-Z_]+)$", RegexOptions.Multiline)]
    private static partial Regex Listed();

    [GeneratedRegex(@"^      (?<name>[A-Z_]+): \$\{\{ vars\.\k<name> \}\}$", RegexOptions.Multiline)]
    private static partial Regex Passed();
}
