namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// The program of a run dies before and after each item that it writes: from the claim over each form of the report to the mark of the end.
/// Activities and orchestrators are those of the program. The account is not one of the run's own, and the workers are in this process.
/// </summary>
public sealed class KillPointTests : IAsyncDisposable
{
    private const int Documents = 120;
    private const int AtOnce = 30;

    /// <summary>At least one item of claim, preparation, start, first leg, next leg, verification, report, clean-up and end.</summary>
    private static readonly string[] Steps =
    [
        "spec.json", "prepared.json", "start.json", LegNames.Attempt(0, 1, 1), LegNames.Result(0, 1), LegNames.Attempt(0, 2, 1),
        "ending.json", .. RunForms.Kind.Forms.Select(form => form.FileName), "container-gone", "ended.json",
    ];

    private static readonly AccountSettings Options = new() { Latency = LatencyProfile.None, PhysicalPartitions = 1 };

    private readonly TemporaryFolder _folder = new();
    private readonly FolderRunStore _store;
    private SimulatedAccount? _account;

    public KillPointTests() => _store = new FolderRunStore(_folder.Path);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private AccountConnection Connection => _account!.Connection() with { Simulated = false };

    public async ValueTask DisposeAsync()
    {
        if (_account is not null)
            await _account.DisposeAsync();
        _folder.Dispose();
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_DiesAtAnyItem_IsCompleteWhenItIsResumed()
    {
        _account = await SimulatedAccount.StartAsync(Options, Cancellation);
        var whole = new DyingStore(_store);
        Assert.True(await LiveAsync(Spec("whole"), whole));
        await AssertEndedAsync("whole");
        // A slow machine needs more than two legs, and a different number each time.
        var items = whole.Items.Where(item => LegNames.Read(item) is not { Leg: > 2 }).ToList();
        Assert.Empty(Steps.Except(items));

        var deaths = items.SelectMany((item, i) => new[] { (Item: item, i, Written: false), (Item: item, i, Written: true) });
        var limits = new ParallelOptions { MaxDegreeOfParallelism = AtOnce, CancellationToken = Cancellation };
        await Parallel.ForEachAsync(deaths, limits, async (death, _) =>
        {
            var id = $"died-{death.i}-{(death.Written ? "after" : "before")}";
            var random = new Random(death.i);
            var store = new DyingStore(_store, death.Item, death.Written);
            Assert.False(await LiveAsync(Spec(id), store), $"{id}: {death.Item} was never written");
            // The resumed program may die again, at another item that may have been written before.
            var ended = death.i % 3 == 0
                && await LiveAsync(Spec(id), new DyingStore(_store, items[random.Next(items.Count)], written: random.Next(2) == 0));
            Assert.True(ended || await LiveAsync(Spec(id)), id);
            await AssertEndedAsync(id);
        });
    }

    /// <summary>A resumed run without its account or container stays as it was, and goes on when it has them again.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_ResumedWithoutAUsableAccount_StaysAsItWasAndCompletesLater()
    {
        _account = await SimulatedAccount.StartAsync(Options, Cancellation);
        await using var ofAnotherTime = await SimulatedAccount.StartAsync(
            Options with { Key = _account.Key }, new ShiftedTime(TimeSpan.FromHours(2)), Cancellation);
        await using var withoutIt = await SimulatedAccount.StartAsync(Options with { Key = _account.Key }, Cancellation);
        await using var unavailable = await RejectingGateway.StartAsync(_account, 503, IsOfContainer);
        await using var slow = await RejectingGateway.StartAsync(_account, 408, IsOfContainer);
        await using var throttled = await RejectingGateway.StartAsync(_account, 429, IsOfContainer);
        (string Reason, AccountConnection Account)[] unusable =
        [
            ("rejects the key (401)", Connection with { Key = Convert.ToBase64String(new byte[64]) }),
            ("nothing listens at that port", Connection with { Endpoint = ClosedPort.New() }),
            ("no TLS could be agreed on", Connection with { Endpoint = new Uri($"https://localhost:{_account.HttpEndpoint.Port}/") }),
            ("is not the one of the given thumbprint", Connection with { CertificateThumbprint = new string('0', 64) }),
            ("this machine's clock is off", ofAnotherTime.Connection() with { Simulated = false }),
            ("that this run wrote to is gone", withoutIt.Connection() with { Simulated = false }),
            ("there is no host no-such-account.invalid", Connection with { Endpoint = new Uri("https://no-such-account.invalid/") }),
            ("is not ready (503", unavailable.Connection),
            ("did not respond in time (408)", slow.Connection),
            ("throttles (429)", throttled.Connection),
        ];
        foreach (var keep in (bool[])[false, true])
        {
            var spec = Spec(keep ? "kept" : "lost") with
            {
                // A second worker could still write when the program is dead.
                Workers = 1,
                Container = new() { Throughput = 400_000, Keep = keep },
            };
            Assert.False(await LiveAsync(spec, new DyingStore(_store, LegNames.Result(0, 1), written: true)));
            var before = Items(spec.Id!);
            foreach (var (reason, account) in unusable)
            {
                var outcome = (await LiveAsync(spec, account)).Outcome!;

                Assert.Equal((RunState.Failed, true), (outcome.State, outcome.NothingChanged));
                Assert.Contains(reason, Assert.Single(outcome.Reasons), StringComparison.Ordinal);
                Assert.Equal(before, Items(spec.Id!));
            }

            Assert.True(await LiveAsync(spec));
            await AssertEndedAsync(spec.Id!, keep);
        }

        static bool IsOfContainer(HttpRequest request) => request.Path.Value!.Contains("/colls/", StringComparison.Ordinal);
    }

    /// <summary>The container exists, but no document can be written: in a later leg, in the first leg, or before it.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(WorkloadKind.Insert, 1)]
    [InlineData(WorkloadKind.Insert, 0)]
    [InlineData(WorkloadKind.Delete, 0)]
    public async Task Run_ResumedWhereNoDocumentCanBeWritten_LosesNothingAndCompletesLater(WorkloadKind kind, int legs)
    {
        _account = await SimulatedAccount.StartAsync(Options, Cancellation);
        await using var forbidding = await RejectingGateway.StartAsync(_account, 403, RejectingGateway.IsWriteOfDocument);
        var spec = Spec("forbidden") with
        {
            Workers = 1,
            Workload = new() { Kind = kind, Preload = kind == WorkloadKind.Delete ? Documents : null },
            Document = kind == WorkloadKind.Delete ? new() { Kind = DocumentKind.Device } : new(),
        };
        Assert.False(await LiveAsync(
            spec, new DyingStore(_store, legs > 0 ? LegNames.Result(0, legs) : LegNames.Attempt(0, 1, 1), written: true)));
        var before = Items(spec.Id!);
        for (var time = 0; time < 4; time++)
        {
            var outcome = (await LiveAsync(spec, forbidding.Connection)).Outcome!;

            Assert.Equal((RunState.Failed, true), (outcome.State, outcome.NothingChanged));
            Assert.Contains("403", Assert.Single(outcome.Reasons), StringComparison.Ordinal);
            var after = Items(spec.Id!);
            Assert.All(before, item => Assert.Equal(item.Value, after[item.Key]));
            Assert.False(Assert.Single(_account.ReadLedger().Containers).Deleted);
        }

        Assert.True(await LiveAsync(spec));
        await AssertEndedAsync(spec.Id!);
    }

    private static RunSpec Spec(string id) => new()
    {
        Id = id, Documents = Documents, Workers = 2, LegDuration = TimeSpan.FromSeconds(1),
        // Slow enough for a second leg.
        Client = new() { ConnectionMode = ConnectionMode.Gateway, Concurrency = 4, Rate = 40 },
        Container = new() { Throughput = 400_000 },
    };

    /// <summary>Starts or resumes a run. Returns false if the program died.</summary>
    private async Task<bool> LiveAsync(RunSpec spec, DyingStore? store = null) => (await LiveAsync(spec, Connection, store)).Lived;

    private async Task<(bool Lived, RunOutcome? Outcome)> LiveAsync(RunSpec spec, AccountConnection account, DyingStore? store = null)
    {
        store ??= new DyingStore(_store);
        using var cut = new CancellationTokenSource();
        using var containers = new ContainerControl(account);
        await using var workers = new InProcessWorkers(store, account, cut.Token);
        var run = RunAsync(spec, store, account, containers, workers);
        if (await Task.WhenAny(run, store.Died) == run)
            return (true, await run);

        // The workers of a dead program end too.
        await cut.CancelAsync();
        return (false, null);
    }

    /// <summary>All items of a run by file name.</summary>
    private SortedDictionary<string, string> Items(string id) => new(
        Directory.EnumerateFiles(Path.Combine(_folder.Path, id), "*", SearchOption.AllDirectories)
            .ToDictionary(file => file, file => Convert.ToHexString(File.ReadAllBytes(file))),
        StringComparer.Ordinal);

    /// <summary>Does what the commands <c>run</c> and <c>resume</c> do.</summary>
    private async Task<RunOutcome?> RunAsync(
        RunSpec spec, DyingStore store, AccountConnection connection, ContainerControl containers, InProcessWorkers workers)
    {
        var files = new RunFiles(store, spec.Id!);
        if (await files.ReadSpecAsync(Cancellation) is null)
            Assert.True(await files.TryClaimAsync(spec, Cancellation));
        if (await RemainingWorkReader.ReadAsync(files, Cancellation) == RemainingWork.None)
            return null;
        var folder = new RunFolder(_folder.Path, spec.Id!);
        var account = new RunAccount(connection, process: null, new AccountFolder(folder.FullPath));
        var activities = new LocalRunActivities(
            new(store, files, account, new KeptLedger(folder, account)), containers, workers, new RunStop(files), new RunTally(spec));
        return await activities.CreateEngine(NullLogger.Instance).RunAsync<RunOutcome>(FunctionNames.RunOrchestrator, spec, spec.Id!);
    }

    private async Task AssertEndedAsync(string id, bool keep = false)
    {
        var files = new RunFiles(_store, id);
        Assert.True(await RemainingWorkReader.ReadAsync(files, Cancellation) == RemainingWork.None, id);
        var report = RunForms.Kind.Read(await files.ReadReportAsync("report.json", Cancellation));
        Assert.True(report.State == RunState.Complete, $"{id}: {string.Join(' ', report.Warnings)}");
        var ledger = Assert.Single(
            _account!.ReadLedger().Containers, container => container.Name == $"run-{id}" && container.Documents.Created > 0);
        Assert.Equal(
            (id, Documents, Documents), (id, ledger.Documents.Created, report.Documents.Inserted + report.Documents.AlreadyPresent));
        Assert.True(ledger.Deleted != keep, $"{id}: the container is {(keep ? "gone" : "still there")}");
        Assert.True(report.LostLegs > 0 || report.Documents.Inserted == Documents, $"{id}: documents of no leg, and none was lost");
        Assert.All(RunForms.Kind.Forms, form => Assert.NotEqual(0, new FileInfo(Path.Combine(_folder.Path, id, form.FileName)).Length));
        Assert.Equal(report.State, (await files.ReadEndedAsync(Cancellation))!.Outcome.State);
    }

    /// <summary>Workers that run in this process instead of their own.</summary>
    private sealed class InProcessWorkers(IRunStore store, AccountConnection account, CancellationToken cut) : IWorkerPool, IAsyncDisposable
    {
        private readonly ConcurrentDictionary<int, LegRunner> _runners = new();

        public Task<LegOutput> RunLegAsync(LegInput leg) =>
            Task.Run(() => _runners.GetOrAdd(leg.Assignment.Worker, _ => Runner()).RunAsync(leg, cut), CancellationToken.None);

        public async Task EndAsync(int worker)
        {
            if (_runners.TryRemove(worker, out var runner))
                await runner.DisposeAsync();
        }

        public async ValueTask DisposeAsync()
        {
            foreach (var worker in _runners.Keys)
                await EndAsync(worker);
        }

        private LegRunner Runner() => new(store, account, new NoProgress()) { WorkersShareMachine = true };
    }
}
