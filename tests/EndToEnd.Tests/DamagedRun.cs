namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// A small run of two workers with at least three legs each, measured once for all tests of a class. Its account stays, so a run over a
/// copy of the items goes on as a resumed run does.
/// </summary>
public sealed class DamagedRun : IAsyncLifetime
{
    public const string Id = "evidence";

    /// <summary>Four operations are in flight and take 100 ms each, so the slices take longer than two legs on any machine.</summary>
    public static readonly RunSpec Spec = new()
    {
        Id = Id, Documents = 300, Workers = 2, LegDuration = TimeSpan.FromSeconds(1), Warmup = TimeSpan.Zero,
        Client = new ClientSpec { ConnectionMode = ConnectionMode.Gateway, Concurrency = 4 }, Simulation = new SimulationSpec(),
    };

    private static readonly LatencyProfile Slow = LatencyProfile.None with { WriteMedianMs = 100 };

    private readonly TemporaryFolder _folder = new();
    private SimulatedAccount _account = null!;

    /// <summary>What the orchestration passed on to make the report.</summary>
    internal RunEnding Ending { get; private set; } = null!;

    /// <summary>The report as the run made it.</summary>
    internal RunReport Report { get; private set; } = null!;

    /// <summary>All items that the run left, by name.</summary>
    internal IReadOnlyDictionary<string, byte[]> Items { get; private set; } = null!;

    /// <summary>The items had the program been killed when all documents were done: without the run's end and report.</summary>
    internal IReadOnlyDictionary<string, byte[]> Unfinished => Items
        .Where(item => item.Key is not ("ending.json" or "ended.json") && !item.Key.StartsWith("report.", StringComparison.Ordinal))
        .ToDictionary();

    internal AccountLedger Ledger => _account.ReadLedger();

    public async ValueTask InitializeAsync()
    {
        var cancellation = TestContext.Current.CancellationToken;
        _account = await SimulatedAccount.StartAsync(new AccountSettings { Latency = Slow, PhysicalPartitions = 2 }, cancellation);
        var store = new FolderRunStore(_folder.Path);
        var files = new RunFiles(store, Id);
        Assert.True(await files.TryClaimAsync(Spec, cancellation));
        var run = new InProcessRun(_account.Connection(), store) { BeforeReport = ending => Ending = ending, StartTogether = false };
        var outcome = await run.RunAsync(Spec, cancellation);
        Assert.True(outcome.State == RunState.Complete, string.Join("; ", outcome.Reasons));
        Report = RunForms.Kind.Read(await files.ReadReportAsync("report.json", cancellation), Id);
        var items = new Dictionary<string, byte[]>();
        foreach (var name in await store.ListAsync(Id, "", cancellation))
            items[name] = (await store.ReadAsync(Id, name, cancellation))!;
        Items = items;
    }

    public async ValueTask DisposeAsync()
    {
        await _account.DisposeAsync();
        _folder.Dispose();
    }

    /// <summary>Writes items of the run, perhaps changed, into another store.</summary>
    internal static async Task FillAsync(IRunStore store, IReadOnlyDictionary<string, byte[]> items)
    {
        foreach (var (name, content) in items)
            await store.WriteAsync(Id, name, content, TestContext.Current.CancellationToken);
    }

    /// <summary>A run over the items in a store, on the account that the run was measured on.</summary>
    internal InProcessRun Over(IRunStore store, Func<LegInput, Task>? legEndedAsync = null, ILogger? log = null) =>
        new(_account.Connection(), store)
        {
            LegEndedAsync = legEndedAsync ?? (_ => Task.CompletedTask), Logger = log ?? NullLogger.Instance,
        };
}
