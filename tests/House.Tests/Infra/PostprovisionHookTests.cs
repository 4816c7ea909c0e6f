using ScaleOut.Workers.Hosting;

namespace ScaleOut.Tests.Infra;

/// <summary>The hook that writes the settings for running the app locally, in a folder of its own for each test.</summary>
public sealed partial class PostprovisionHookTests : IDisposable
{
    private const string SystemPath = "/usr/local/bin:/usr/bin:/bin";

    private readonly string _root = Directory.CreateTempSubdirectory("postprovision-").FullName;

    private readonly Dictionary<string, string> _variables = new()
    {
        ["STORAGE_BLOB_ENDPOINT"] = "https://a.blob.core.windows.net/",
        ["STORAGE_QUEUE_ENDPOINT"] = "https://a.queue.core.windows.net/",
        ["SCHEDULER_ENDPOINT"] = "https://a.northeurope.durabletask.io",
        ["TASKHUB_NAME"] = "th-a",
        ["COSMOS_ENDPOINT"] = "https://load.documents.azure.com:443/",
        ["COSMOS_RESOURCE_ID"] =
            "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/load",
        ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = "InstrumentationKey=00000000-0000-0000-0000-000000000002;IngestionEndpoint=https://b/",
        ["MAX_RUS"] = "50000",
    };

    public PostprovisionHookTests()
    {
        Directory.CreateDirectory(Path.Combine(_root, "Orchestrator"));
        Directory.CreateDirectory(Path.Combine(_root, "infra", "hooks"));
        File.Copy(Path.Combine(InfraFiles.Folder, "hooks", "postprovision.sh"), Script);
    }

    private string Script => Path.Combine(_root, "infra", "hooks", "postprovision.sh");
    private string Written => Path.Combine(_root, "Orchestrator", "local.settings.json");

    private IEnumerable<string?> Files =>
        Directory.GetFiles(Path.Combine(_root, "Orchestrator")).Select(Path.GetFileName).Order(StringComparer.Ordinal);

    [Fact]
    public async Task Settings_Written_AreThoseThatTheAppReads()
    {
        Assert.Equal(0, (await RunAsync()).ExitCode);

        var settings = JsonNode.Parse(await ReadAsync())!["Values"]!.AsObject()
            .ToDictionary(value => value.Key, value => (string)value.Value!);
        var reading = HostSettingsReader.Read(
            name => name == "AZURE_FUNCTIONS_ENVIRONMENT" ? "Development" : settings.GetValueOrDefault(name));
        Assert.NotNull(reading.Settings);
        Assert.Equal(new Uri(_variables["COSMOS_ENDPOINT"]), reading.Settings.Account.Endpoint);
        Assert.Equal(_variables["COSMOS_RESOURCE_ID"], reading.Settings.Account.ResourceId);
        Assert.Equal(50_000, reading.Settings.MaxRequestUnits);
        Assert.Equal(100, reading.Settings.MaxWorkers);
        // Runs wait for each other rather than for the legs of this one machine.
        const string activities = "AzureFunctionsJobHost__extensions__durableTask__maxConcurrentActivityFunctions";
        Assert.Equal($"{reading.Settings.WorkerCapacity}", settings[activities]);
        Assert.Equal("dotnet-isolated", settings["FUNCTIONS_WORKER_RUNTIME"]);
        var scheduler = $"Endpoint={_variables["SCHEDULER_ENDPOINT"]};Authentication=DefaultAzure";
        Assert.Equal(scheduler, settings["DURABLE_TASK_SCHEDULER_CONNECTION_STRING"]);
        Assert.Equal(_variables["TASKHUB_NAME"], settings["TASKHUB_NAME"]);
        Assert.Null(reading.Settings.Account.Key);
    }

    [Fact]
    public async Task Settings_WrittenAgain_AreLeftAlone()
    {
        await RunAsync();
        var before = File.GetLastWriteTimeUtc(Written);
        Assert.Equal(0, (await RunAsync()).ExitCode);
        Assert.Equal(["local.settings.json"], Files);
        Assert.Equal(before, File.GetLastWriteTimeUtc(Written));
    }

    [Fact]
    public async Task Hook_FilesWrittenByHand_KeepsThem()
    {
        await WriteAsync("first");
        await RunAsync();
        await WriteAsync("second");
        await RunAsync();

        Assert.Equal(["local.settings.json", "local.settings.json.1", "local.settings.json.2"], Files);
        Assert.Equal("first", await File.ReadAllTextAsync(Written + ".1", TestContext.Current.CancellationToken));
        Assert.Equal("second", await File.ReadAllTextAsync(Written + ".2", TestContext.Current.CancellationToken));
        Assert.NotNull(JsonNode.Parse(await ReadAsync()));
    }

    [Theory]
    [InlineData("STORAGE_BLOB_ENDPOINT")]
    [InlineData("SCHEDULER_ENDPOINT")]
    [InlineData("APPLICATIONINSIGHTS_CONNECTION_STRING")]
    public async Task Environment_WithoutAnOutput_ChangesNothing(string missing)
    {
        await WriteAsync("mine");
        _variables.Remove(missing);
        var call = await RunAsync();

        Assert.Equal(1, call.ExitCode);
        Assert.Contains(missing, call.Output, StringComparison.Ordinal);
        Assert.Equal(["local.settings.json"], Files);
        Assert.Equal("mine", await ReadAsync());
    }

    [Fact]
    public async Task Developer_WithoutAccess_GetsNoFile()
    {
        _variables["DEVELOPER_ACCESS"] = "false";
        Assert.Equal(0, (await RunAsync()).ExitCode);
        Assert.Empty(Files);
    }

    /// <summary>PowerShell on Windows writes the same settings as the shell; only variables are named differently.</summary>
    [Fact]
    public void Windows_Settings_AreTheSame()
    {
        var ofShell = Json().Match(InfraFiles.Read("hooks/postprovision.sh")).Value
            .Replace("${MAX_RUS:-}", "$MAX_RUS", StringComparison.Ordinal)
            .Replace("${MAX_WORKERS:-}", "$MAX_WORKERS", StringComparison.Ordinal);
        var ofPowerShell = Json().Match(InfraFiles.Read("hooks/postprovision.ps1")).Value.Replace("$env:", "$", StringComparison.Ordinal);

        Assert.Contains("FUNCTIONS_WORKER_RUNTIME", ofShell, StringComparison.Ordinal);
        Assert.Equal(ofShell, ofPowerShell);
    }

    /// <summary>Files that the hook keeps may hold keys.</summary>
    [Fact]
    public void Hook_KeptFiles_AreIgnoredByGit() => Assert.Contains("local.settings.json.*", InfraFiles.ReadTop(".gitignore").Split('\n'));

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private Task<ShellCall> RunAsync()
    {
        Assert.SkipUnless(ShellCall.IsPossible, "no /bin/sh");
        return ShellCall.RunAsync(Script, _variables, SystemPath, TestContext.Current.CancellationToken);
    }

    private Task WriteAsync(string text) => File.WriteAllTextAsync(Written, text, TestContext.Current.CancellationToken);

    private Task<string> ReadAsync() => File.ReadAllTextAsync(Written, TestContext.Current.CancellationToken);

    [GeneratedRegex(@"^\{\n(  .*\n)+\}$", RegexOptions.Multiline)]
    private static partial Regex Json();
}
