namespace ScaleOut.Tests.Infra;

/// <summary>host.json, the settings that the Function App needs, and the document that explains them must agree.</summary>
public sealed class HostFileTests
{
    private static readonly JsonNode Host = JsonNode.Parse(InfraFiles.ReadTop("host.json"))!;
    private static readonly JsonObject Local = Sample("local.settings.sample.json");
    private static readonly JsonObject Scheduler = Sample("local.settings.scheduler.sample.json");

    private const string BackendPrefix = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__";

    private static JsonNode Durable => Host["extensions"]!["durableTask"]!;
    private static HashSet<string> DeployedSettings => [.. Deployment.Default.AppSettings.Keys];

    /// <summary>Each instance runs one worker.</summary>
    [Fact]
    public void Host_Activities_RunOneAtATime() => Assert.Equal(1, (int)Durable["maxConcurrentActivityFunctions"]!);

    /// <summary>
    /// The time-out is longer than the opening of a client, the longest startTimeout, and the deadline of the longest leg, which is a
    /// repeated one. What hangs within a leg is ended by the leg's own deadline. A preload has no limit: after the time-out its leg is run
    /// again and finds what was written.
    /// </summary>
    [Fact]
    public void Host_TimeOut_IsLongerThanAnyLeg()
    {
        var longest = Script.Assignment(new NumberRange(0, 1)) with
        {
            LegDuration = LegNumbers.RepetitionFactor * TimeSpan.FromSeconds(RunSpec.MaxLegSeconds),
        };
        var leg = TimeSpan.FromMinutes(2) + TimeSpan.FromSeconds(RunSpec.MaxStartTimeoutSeconds) + LegTimes.DeadlineOf(longest);
        Assert.True(TimeSpan.Parse((string)Host["functionTimeout"]!, CultureInfo.InvariantCulture) > leg, $"{leg}");
    }

    /// <summary>The host names dependencies by their paths, which contain the ids of runs: each run would have names of its own.</summary>
    [Fact]
    public void Host_Dependencies_AreNotTracked() =>
        Assert.False((bool)Host["logging"]!["applicationInsights"]!["enableDependencyTracking"]!);

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

    /// <summary>What can be had by npm and NuGet alone, and what is deployed. Everything else is the same.</summary>
    [Fact]
    public void LocalSettings_Samples_DifferInTheBackendAlone()
    {
        var backend = Local.Where(setting => setting.Key.StartsWith(BackendPrefix, StringComparison.Ordinal)).ToDictionary(
            setting => setting.Key[BackendPrefix.Length..], setting => (string)setting.Value!);

        Assert.Equal(("AzureStorage", "AzureWebJobsStorage"), (backend["type"], backend["connectionStringName"]));
        Assert.True(Local.ContainsKey(backend["connectionStringName"]));
        Assert.Equal(
            Scheduler.Where(setting => setting.Key != "DURABLE_TASK_SCHEDULER_CONNECTION_STRING").Select(Text),
            Local.Where(setting => !setting.Key.StartsWith(BackendPrefix, StringComparison.Ordinal)).Select(Text));
        Assert.Equal("DURABLE_TASK_SCHEDULER_CONNECTION_STRING", (string)Durable["storageProvider"]!["connectionStringName"]!);
    }

    /// <summary>
    /// The backend renews the message of a leg 30 s before it becomes visible, but at most every 5 s. So its time-out must leave time for a
    /// second try, and the message of a lost host must be visible within a minute, polling included.
    /// </summary>
    [Fact]
    public void LocalSettings_LegsOfALostHost_GoOnWithinAMinute()
    {
        var timeout = LocalTime("workItemQueueVisibilityTimeout");

        Assert.True(timeout - TimeSpan.FromSeconds(30) >= 2 * TimeSpan.FromSeconds(5));
        Assert.True(timeout + LocalTime("maxQueuePollingInterval") < TimeSpan.FromMinutes(1));
    }

    /// <summary>The extension allows no shorter time-out for the steps of orchestrations.</summary>
    [Fact]
    public void LocalSettings_StepsOfALostHost_GoOnAsSoonAsTheExtensionAllows() =>
        Assert.Equal(TimeSpan.FromMinutes(1), LocalTime("controlQueueVisibilityTimeout"));

    [Fact]
    public void LocalSettings_OtherOverrides_NameSettingsOfHostJson()
    {
        var overrides = Local.Select(setting => setting.Key)
            .Where(name => name.StartsWith("AzureFunctionsJobHost__", StringComparison.Ordinal)
                && !name.StartsWith(BackendPrefix, StringComparison.Ordinal)).ToList();
        Assert.Equal(["AzureFunctionsJobHost__extensions__durableTask__maxConcurrentActivityFunctions"], overrides);
        Assert.All(overrides, name => Assert.NotNull(name.Split("__").Skip(1).Aggregate(Host, (node, part) => node![part]!)));
    }

    /// <summary>The project file decides by this text whether it needs the scheduler's package.</summary>
    [Fact]
    public void LocalSettings_Project_LooksForTheSettingThatNamesTheBackend()
    {
        var project = InfraFiles.ReadTop("Orchestrator/Orchestrator.csproj");
        var looksFor = Regex.Match(project, @"_SettingsText\.Contains\('(?<text>\w+)'\)").Groups["text"].Value;

        Assert.Equal("storageProvider__type", looksFor);
        Assert.Contains(Local, setting => setting.Key.Contains(looksFor, StringComparison.Ordinal));
        Assert.DoesNotContain(Scheduler, setting => setting.Key.Contains(looksFor, StringComparison.Ordinal));
    }

    [Fact]
    public void Readme_Table_ExplainsEverySetting()
    {
        var table = MarkdownTable.Under(InfraFiles.ReadTop("docs/azure.md"), "## On a dev box with func start");
        var explained = table.Select(row => MarkdownTable.Code(row[0])).ToHashSet();
        var deployed = DeployedSettings.Where(name => !name.StartsWith("FUNCTIONS_", StringComparison.Ordinal));

        Assert.Subset(explained, Local.Concat(Scheduler).Select(setting => setting.Key).ToHashSet());
        Assert.Subset(explained, deployed.Select(name => name.Split("__")[0]).ToHashSet());
        Assert.All(table, row => Assert.NotEmpty(row[3]));
    }

    private static TimeSpan LocalTime(string setting) =>
        TimeSpan.Parse((string)Local[BackendPrefix + setting]!, CultureInfo.InvariantCulture);

    private static JsonObject Sample(string file) => JsonNode.Parse(InfraFiles.ReadTop(file))!["Values"]!.AsObject();

    private static (string, string) Text(KeyValuePair<string, JsonNode?> setting) => (setting.Key, (string)setting.Value!);
}
