using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Orchestration;
using ScaleOut.Simulator.Accounts;
using ScaleOut.Simulator.Engine.Ledger;
using ScaleOut.Specs;
using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.DevBox.Serving;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// The program dies on its way, or its disk is full, and the run ends all the same. Where an account outlives it, the run's container does
/// not stay there.
/// </summary>
public sealed class KilledRunTests
{
    /// <summary>Less than a report's page has, and more than any other item.</summary>
    private const int KilobytesWithoutThePage = 24;

    /// <summary>A run is killed as soon as each of these is there; each form of the report but the page is among them.</summary>
    private static readonly string[] Steps =
    [
        "spec.json", "prepared.json", "ready/0001", "start.json", "legs/0000/000001/result.json", "ending.json", "report.json",
        "report.csv", "report.md", "container-gone",
    ];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Run_KilledAtEveryStep_IsCompleteAtLast()
    {
        const string spec =
            """
            {
              "id": "killed", "documents": 800, "workers": 2, "legDuration": "00:00:01",
              "client": { "rate": 300 }, "container": { "throughput": 400000 }
            }
            """;
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "spec.json"), spec, Encoding.UTF8, Cancellation);
        string[] arguments = ["run", "spec.json", .. Target(account)];
        foreach (var (step, index) in Steps.Select((step, index) => (step, index)))
        {
            using var program = DevBoxProcess.Start(folder.Path, arguments, Key(account));
            await KillAtAsync(program, folder.Path, step, withWorkers: index % 2 == 0);
            arguments = ["resume", "killed"];
        }

        using var last = await DevBoxProcess.RunAsync(folder.Path, arguments, Key(account));
        using var again = await DevBoxProcess.RunAsync(folder.Path, arguments, Key(account));

        // The last kill may have come when all was done.
        Assert.True(last.ExitCode == 0 || last.Errors.Contains("has ended", StringComparison.Ordinal), last.Output + last.Errors);
        Assert.Equal(2, again.ExitCode);
        Assert.Contains("run 'killed' has ended", again.Errors, StringComparison.Ordinal);
        AssertComplete(folder.Path, "killed", 800, ContainerOf(account, "killed"));
    }

    [Fact]
    public async Task Run_ReportCannotBeWritten_GoesOnWhenItCan()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        using var folder = new TemporaryFolder();
        using var full = DevBoxProcess.Start(
            folder.Path,
            ["--documents", "500", "--workers", "1", "--id", "full", "--latency", "none"],
            mostKilobytesOfAFile: KilobytesWithoutThePage);
        await full.WaitAsync();
        var left = Directory.EnumerateFiles(Path.Combine(folder.Path, "runs", "full"), "*.tmp-*", SearchOption.AllDirectories).ToList();

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "full"]);

        Assert.Equal(1, full.ExitCode);
        Assert.Contains("go on within ten minutes with: resume full", full.Errors, StringComparison.Ordinal);
        Assert.Empty(left);
        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        Assert.Contains("the account's ledger agrees", resumed.Output, StringComparison.Ordinal);
        AssertComplete(folder.Path, "full", 500, new FinishedRun(Path.Combine(folder.Path, "runs"), "full").Container);
    }

    /// <summary>
    /// The disk is full when the report's page is to be written, and then the server is killed: the state between the report and the
    /// deletion of the container.
    /// </summary>
    [Fact]
    public async Task Serve_KilledBetweenReportAndCleanUp_RunIsInterruptedUntilItIsResumed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        string[] options = ["--out", Path.Combine(folder.Path, "runs"), .. Target(account)];
        using (var server = await ServeProcess.StartAsync(options, Key(account), KilobytesWithoutThePage))
        {
            using var http = server.Client();
            using var spec = new StringContent("""{"id":"served","documents":500,"workers":1}""", Encoding.UTF8, "application/json");
            await http.PostAsync("api/runs", spec, Cancellation);
            await Until.HoldsAsync(() => StateIn(http).GetAwaiter().GetResult() == "failed", "the failure of the report");
            Assert.True(Signals.Send(server.Process.Id, Signals.Kill));
            await server.Process.WaitAsync();
        }

        Assert.False(ContainerOf(account, "served").Deleted);
        using var second = await ServeProcess.StartAsync(options, Key(account));
        using var client = second.Client();
        Assert.Equal("interrupted", await StateIn(client));
        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "served"], Key(account));

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        Assert.Equal("complete", await StateIn(client));
        AssertComplete(folder.Path, "served", 500, ContainerOf(account, "served"));
    }

    [Fact]
    public async Task Serve_KilledWhileARunWaits_RunIsResumedOnItsAccount()
    {
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        using (var server = await ServeProcess.StartAsync(["--out", Path.Combine(folder.Path, "runs"), .. Target(account)], Key(account)))
        {
            using var http = server.Client();
            string[] specs =
            [
                """{"id":"first","documents":10000000,"workers":1}""",
                """{"id":"waiting","documents":100,"workers":1}""",
            ];
            foreach (var spec in specs)
            {
                using var content = new StringContent(spec, Encoding.UTF8, "application/json");
                Assert.True((await http.PostAsync("api/runs", content, Cancellation)).IsSuccessStatusCode);
            }

            Assert.True(Signals.Send(server.Process.Id, Signals.Kill));
            await server.Process.WaitAsync();
        }

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "waiting"], Key(account));

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        AssertComplete(folder.Path, "waiting", 100, ContainerOf(account, "waiting"));
    }

    /// <summary>Else it would be resumed on simulated accounts.</summary>
    [Fact]
    public async Task Experiment_KilledWhenItIsClaimed_KnowsItsAccount()
    {
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(
            Path.Combine(folder.Path, "spec.json"),
            """{"id":"claimed","base":{"documents":100000},"variants":[{"name":"a","change":{}}],"repeats":1}""",
            Encoding.UTF8,
            Cancellation);
        using var program = DevBoxProcess.Start(folder.Path, ["experiment", "spec.json", .. Target(account)], Key(account));
        var claimed = Path.Combine(folder.Path, "runs", "claimed");
        while (!File.Exists(Path.Combine(claimed, "experiment.json")) && !program.HasExited)
            await Task.Delay(1, Cancellation);
        Signals.Send(program.Id, Signals.Kill);
        await program.WaitAsync();

        Assert.True(File.Exists(Path.Combine(claimed, "experiment.json")), program.Output + program.Errors);
        Assert.Contains(
            account.HttpsEndpoint.ToString(),
            await File.ReadAllTextAsync(Path.Combine(claimed, "account.json"), Cancellation),
            StringComparison.Ordinal);
    }

    private static Task<SimulatedAccount> StartAccountAsync() =>
        SimulatedAccount.StartAsync(new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 1 }, Cancellation);

    private static string[] Target(SimulatedAccount account) =>
        ["--account", account.HttpsEndpoint.ToString(), "--account-thumbprint", account.CertificateThumbprint];

    private static Dictionary<string, string> Key(SimulatedAccount account) => new() { ["COSMOS_KEY"] = account.Key };

    private static ContainerLedger ContainerOf(SimulatedAccount account, string runId) =>
        Assert.Single(account.ReadLedger().Containers, container => container.Name == $"run-{runId}");

    private static async Task<string?> StateIn(HttpClient http) =>
        (string?)JsonNode.Parse(await http.GetStringAsync("api/runs", Cancellation))!["runs"]!.AsArray().Single()!["state"];

    /// <summary>Kills the program, and its workers at the same instant or not, when an item is there.</summary>
    private static async Task KillAtAsync(DevBoxProcess program, string folder, string item, bool withWorkers)
    {
        var path = Path.Combine(folder, "runs", "killed", item);
        while (!File.Exists(path) && !program.HasExited)
            await Task.Delay(1, Cancellation);
        var workers = RunProcesses.Workers(folder, "killed").Values;
        Signals.Send(program.Id, Signals.Kill);
        if (withWorkers)
        {
            foreach (var worker in workers)
                Signals.Send(worker, Signals.Kill);
        }

        await program.WaitAsync();
        await Until.HoldsAsync(() => !workers.Any(Signals.Lives), "the end of the workers");
    }

    private static void AssertComplete(string folder, string runId, long documents, ContainerLedger ledger)
    {
        var run = new FinishedRun(Path.Combine(folder, "runs"), runId);
        var report = run.Report;
        Assert.True(report.State == RunState.Complete, string.Join(' ', report.Warnings));
        Assert.Equal(
            (documents, documents, documents),
            (report.Documents.Verified, report.Documents.Inserted + report.Documents.AlreadyPresent, ledger.Documents.Created));
        Assert.Equal(report.Simulated, !ledger.Deleted);
        Assert.All(ReportWriters.All, writer => Assert.NotEqual(0, new FileInfo(Path.Combine(run.Folder, writer.FileName)).Length));
        Assert.True(run.Has("ended.json"));
        Assert.Empty(Directory.EnumerateFiles(run.Folder, "*.tmp-*", SearchOption.AllDirectories));
    }
}
