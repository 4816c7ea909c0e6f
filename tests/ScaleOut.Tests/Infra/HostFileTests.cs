namespace ScaleOut.Tests.Infra;

/// <summary>host.json and the settings that the Function App needs: the files that must agree on them.</summary>
public sealed class HostFileTests
{
    private static readonly JsonNode Host = JsonNode.Parse(Read("host.json"))!;
    private static readonly JsonObject Local = JsonNode.Parse(Read("local.settings.sample.json"))!["Values"]!.AsObject();

    private static readonly IReadOnlyList<string[]> Table = MarkdownTable.Under(Read("docs/azure.md"), "## On a dev box with func start");

    private static JsonNode Durable => Host["extensions"]!["durableTask"]!;

    /// <summary>One worker an instance.</summary>
    [Fact]
    public void Host_Activities_RunOneAtATime() => Assert.Equal(1, (int)Durable["maxConcurrentActivityFunctions"]!);

    /// <summary>Longer than the longest leg, the longest wait for the start, and the drain together.</summary>
    [Fact]
    public void Host_TimeOut_IsLongerThanAnyLeg() => Assert.True(
        TimeSpan.Parse((string)Host["functionTimeout"]!, CultureInfo.InvariantCulture)
            > TimeSpan.FromSeconds(RunSpec.MaxLegSeconds) + TimeSpan.FromSeconds(RunSpec.MaxStartTimeoutSeconds) + TimeSpan.FromMinutes(1));

    [Fact]
    public void Host_Orchestrations_HaveTheVersionOfTheOrchestrators()
    {
        Assert.Equal(OrchestrationVersions.Current, (string)Durable["defaultVersion"]!);
        Assert.Equal("CurrentOrOlder", (string)Durable["versionMatchStrategy"]!);
    }

    /// <summary>The platform scales by what host.json itself says, so it is the one that names the backend of Azure.</summary>
    [Fact]
    public void Host_Backend_IsTheSchedulerThatTheDeploymentMakes()
    {
        Assert.Equal("azureManaged", (string)Durable["storageProvider"]!["type"]!);
        Assert.Contains((string)Durable["storageProvider"]!["connectionStringName"]!, DeployedSettings());
        Assert.Contains(((string)Durable["hubName"]!).Trim('%'), DeployedSettings());
    }

    [Fact]
    public void LocalSettings_Overrides_AreOfSettingsInHostJson()
    {
        var overrides = Local.Select(setting => setting.Key)
            .Where(name => name.StartsWith("AzureFunctionsJobHost__", StringComparison.Ordinal))
            .ToList();

        // Not the engine: what is deployed is what is tried locally.
        Assert.Equal(["AzureFunctionsJobHost__extensions__durableTask__maxConcurrentActivityFunctions"], overrides);
        Assert.All(overrides, name => Assert.NotNull(name.Split("__").Skip(1).Aggregate(Host, (node, part) => node![part]!)));
    }

    [Fact]
    public void Readme_Table_ExplainsEverySetting()
    {
        var explained = Table.Select(row => MarkdownTable.Code(row[0])).ToHashSet();

        Assert.Subset(explained, Local.Select(setting => setting.Key).ToHashSet());
        Assert.Subset(explained, DeployedSettings().Where(name => !AzureOnly(name)).Select(name => name.Split("__")[0]).ToHashSet());
        Assert.All(Table, row => Assert.NotEmpty(row[3]));
    }

    private static bool AzureOnly(string name) => name.StartsWith("FUNCTIONS_", StringComparison.Ordinal);

    private static HashSet<string> DeployedSettings() => [.. Deployment.Default.AppSettings.Keys];

    private static string Read(string path) => File.ReadAllText(Path.Combine(RepositoryFiles.Root, path));
}
