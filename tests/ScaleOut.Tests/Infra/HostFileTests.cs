namespace ScaleOut.Tests.Infra;

/// <summary>host.json, the settings that the Function App needs, and the document that explains them must agree.</summary>
public sealed class HostFileTests
{
    private static readonly JsonNode Host = JsonNode.Parse(InfraFiles.ReadTop("host.json"))!;
    private static readonly JsonObject Local = JsonNode.Parse(InfraFiles.ReadTop("local.settings.sample.json"))!["Values"]!.AsObject();

    private static JsonNode Durable => Host["extensions"]!["durableTask"]!;
    private static HashSet<string> DeployedSettings => [.. Deployment.Default.AppSettings.Keys];

    /// <summary>Each instance runs one worker.</summary>
    [Fact]
    public void Host_Activities_RunOneAtATime() => Assert.Equal(1, (int)Durable["maxConcurrentActivityFunctions"]!);

    /// <summary>The time-out is longer than the longest leg, the longest wait for the start, and the drain together.</summary>
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

    /// <summary>The platform scales by host.json itself, so host.json must name the backend of Azure.</summary>
    [Fact]
    public void Host_Backend_IsTheSchedulerThatTheDeploymentMakes()
    {
        Assert.Equal("azureManaged", (string)Durable["storageProvider"]!["type"]!);
        Assert.Contains((string)Durable["storageProvider"]!["connectionStringName"]!, DeployedSettings);
        Assert.Contains(((string)Durable["hubName"]!).Trim('%'), DeployedSettings);
    }

    [Fact]
    public void LocalSettings_Overrides_NameSettingsOfHostJson()
    {
        var overrides = Local.Select(setting => setting.Key)
            .Where(name => name.StartsWith("AzureFunctionsJobHost__", StringComparison.Ordinal)).ToList();
        // The engine is not overridden: what is tried locally is what is deployed.
        Assert.Equal(["AzureFunctionsJobHost__extensions__durableTask__maxConcurrentActivityFunctions"], overrides);
        Assert.All(overrides, name => Assert.NotNull(name.Split("__").Skip(1).Aggregate(Host, (node, part) => node![part]!)));
    }

    [Fact]
    public void Readme_Table_ExplainsEverySetting()
    {
        var table = MarkdownTable.Under(InfraFiles.ReadTop("docs/azure.md"), "## On a dev box with func start");
        var explained = table.Select(row => MarkdownTable.Code(row[0])).ToHashSet();
        var deployed = DeployedSettings.Where(name => !name.StartsWith("FUNCTIONS_", StringComparison.Ordinal));

        Assert.Subset(explained, Local.Select(setting => setting.Key).ToHashSet());
        Assert.Subset(explained, deployed.Select(name => name.Split("__")[0]).ToHashSet());
        Assert.All(table, row => Assert.NotEmpty(row[3]));
    }
}
