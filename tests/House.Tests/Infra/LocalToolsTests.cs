using NJsonSchema;
using ScaleOut.Api;

namespace ScaleOut.Tests.Infra;

/// <summary>What a developer finds at the top of the repository: dev container, emulators, ready-made requests.</summary>
public sealed partial class LocalToolsTests
{
    private static readonly string Requests = InfraFiles.ReadTop("test.http");
    private static readonly JsonNode Container = JsonNode.Parse(InfraFiles.ReadTop(".devcontainer/devcontainer.json"))!;

    [Fact]
    public void DevContainer_ImageAndFeatures_ArePinned()
    {
        Assert.Matches(@"^mcr\.microsoft\.com/devcontainers/dotnet:\d+\.\d+\.\d+-10\.0-", (string)Container["image"]!);
        Assert.All(Container["features"]!.AsObject(), feature => Assert.Matches(@"^ghcr\.io/[\w./-]+:\d+\.\d+\.\d+$", feature.Key));
        Assert.Matches(@"azure-functions-core-tools@4\.\d+\.\d+ ", (string)Container["postCreateCommand"]!);
    }

    [Theory]
    [InlineData("devcontainers/features/node")]
    [InlineData("devcontainers/features/azure-cli")]
    [InlineData("azure/azure-dev/azd")]
    [InlineData("devcontainers/features/docker-in-docker")]
    public void DevContainer_LocalCommands_HasEveryTool(string feature) => Assert.Single(
        Container["features"]!.AsObject(), entry => entry.Key.Contains($"/{feature}:", StringComparison.Ordinal));

    [Fact]
    public void DevContainer_VersionsOfSdkAndNode_AreThoseOfTheProject()
    {
        var sdk = (string)JsonNode.Parse(InfraFiles.ReadTop("global.json"))!["sdk"]!["version"]!;
        var node = Container["features"]!.AsObject().Single(feature => feature.Key.Contains("/node:", StringComparison.Ordinal)).Value!;
        var ci = InfraFiles.ReadTop(".github/workflows/ci.yml");
        Assert.Contains($"-{string.Join('.', sdk.Split('.')[..2])}-", (string)Container["image"]!, StringComparison.Ordinal);
        Assert.Contains($"node-version: {(string)node["version"]!}\n", ci, StringComparison.Ordinal);
    }

    /// <summary>The emulators listen on this machine alone, where the settings of the sample look for them.</summary>
    [Fact]
    public void Compose_Ports_AreThoseOfTheSampleSettings()
    {
        var ports = Port().Matches(InfraFiles.ReadTop("compose.yaml")).Select(match => match.Groups["port"].Value).ToHashSet();
        var settings = JsonNode.Parse(InfraFiles.ReadTop("local.settings.scheduler.sample.json"))!["Values"]!;

        Assert.Equal(ports.Count, Regex.Count(InfraFiles.ReadTop("compose.yaml"), "^      - ", RegexOptions.Multiline));
        Assert.Subset(ports, new HashSet<string> { "10000", "10001", "10002", "8082" });
        // The documents use these two ports for the simulated account.
        Assert.DoesNotContain("8080", ports);
        Assert.DoesNotContain("8081", ports);
        Assert.Equal("UseDevelopmentStorage=true", (string)settings["AzureWebJobsStorage"]!);
        var scheduler = Emulator().Match((string)settings["DURABLE_TASK_SCHEDULER_CONNECTION_STRING"]!);
        Assert.Contains(scheduler.Groups["port"].Value, ports);
        // The emulator has only this task hub by itself.
        Assert.Equal("default", (string)settings["TASKHUB_NAME"]!);
    }

    /// <summary>An image that changes by itself fails on a day when nothing here has changed.</summary>
    [Fact]
    public void Compose_Images_AreVersions()
    {
        var images = Image().Matches(InfraFiles.ReadTop("compose.yaml")).Select(match => match.Groups["tag"].Value).ToList();
        var azurite = JsonNode.Parse(InfraFiles.ReadTop("tests/azurite/package.json"))!["dependencies"]!["azurite"]!;
        Assert.Equal(2, images.Count);
        Assert.All(images, tag => Assert.Matches(@"^v?\d+\.\d+\.\d+$", tag));
        Assert.Contains((string)azurite!, images);
        Assert.Contains($"\nnpx azurite@{azurite} ", InfraFiles.ReadTop("docs/azure.md"), StringComparison.Ordinal);
    }

    [Fact]
    public void Requests_Routes_AreThoseOfTheFunctionApp()
    {
        var routes = Directory.GetFiles(Path.Combine(RepositoryFiles.Root, "Orchestrator", "Http"), "*.cs")
            .SelectMany(path => Route().Matches(File.ReadAllText(path)))
            .Select(match => (string)typeof(ApiRoutes).GetField(match.Groups["name"].Value)!.GetRawConstantValue()!).ToHashSet();
        var asked = Request().Matches(Requests).Select(match => Id().Replace(match.Groups["path"].Value, "$1/{id}")).ToHashSet();

        Assert.NotEmpty(routes);
        Assert.Equal(routes.Order(StringComparer.Ordinal), asked.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("runs", "run.schema.json")]
    [InlineData("experiments", "experiment.schema.json")]
    public async Task Requests_Bodies_AreValid(string route, string schemaFile)
    {
        var schema = await JsonSchema.FromJsonAsync(InfraFiles.ReadTop("plans/" + schemaFile), TestContext.Current.CancellationToken);
        var bodies = Regex.Matches(Requests, $@"POST {{{{host}}}}/api/{route}\n(?:[\w-]+: .*\n)+\n(?<body>\{{\n(.+\n)+?\}})\n");
        Assert.Empty(schema.Validate(Assert.Single(bodies).Groups["body"].Value));
    }

    [Fact]
    public void Requests_Key_IsExplainedWhereTheySay()
    {
        var document = Regex.Match(Requests, @"and (?<file>\S+\.md) says how to get the key").Groups["file"].Value;
        Assert.Contains("\nKEY=$(az functionapp keys list ", InfraFiles.ReadTop(document), StringComparison.Ordinal);
    }

    [Fact]
    public void Requests_All_SendTheKey() =>
        Assert.Equal(Request().Count(Requests), Regex.Count(Requests, @"^x-functions-key: \{\{key\}\}$", RegexOptions.Multiline));

    /// <summary>What git does not take because it may hold keys, an image of the simulated account must not take either.</summary>
    [Fact]
    public void DockerIgnore_FilesWithKeys_AreThoseOfGitIgnore()
    {
        var ignored = InfraFiles.ReadTop(".dockerignore").Split('\n');
        var secret = InfraFiles.ReadTop(".gitignore").Split('\n').Where(line => line.StartsWith(".az", StringComparison.Ordinal)
            || line.StartsWith("local.settings", StringComparison.Ordinal)).ToList();

        Assert.Equal([".azure/", ".azurite/", "local.settings.json", "local.settings.json.*"], secret);
        Assert.All(secret, line => Assert.Contains(ignored, pattern => pattern.StartsWith("**/", StringComparison.Ordinal)
            && Regex.IsMatch(line.TrimEnd('/'), $"^{Regex.Escape(pattern[3..]).Replace(@"\*", ".*", StringComparison.Ordinal)}$")));
    }

    [GeneratedRegex(@"^    image: \S+:(?<tag>\S+)$", RegexOptions.Multiline)]
    private static partial Regex Image();

    [GeneratedRegex(@"^      - ""127\.0\.0\.1:(?<port>\d+):\d+""$", RegexOptions.Multiline)]
    private static partial Regex Port();

    [GeneratedRegex("^Endpoint=http://localhost:(?<port>\\d+);Authentication=None$")]
    private static partial Regex Emulator();

    [GeneratedRegex(@"\bRoute = ApiRoutes\.(?<name>\w+)\)")]
    private static partial Regex Route();

    [GeneratedRegex(@"^(GET|POST) \{\{host\}\}/api/(?<path>[^?\n]+)", RegexOptions.Multiline)]
    private static partial Regex Request();

    [GeneratedRegex("^(runs|experiments)/(first|modes)")]
    private static partial Regex Id();
}
