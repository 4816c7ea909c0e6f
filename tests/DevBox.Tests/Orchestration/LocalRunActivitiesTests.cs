namespace ScaleOut.Tests.DevBox.Orchestration;

/// <summary>Legs that need no process because they have ended or are not to begin.</summary>
public sealed class LocalRunActivitiesTests : IAsyncDisposable
{
    private static readonly RunSpec Spec = new() { Id = "r", Documents = 100, Workers = 1, Simulation = new SimulationSpec() };

    private readonly TemporaryFolder _folder = new();
    private readonly RunFiles _files;
    private readonly RunStop _stop;
    private readonly RunTally _tally = new(Spec);
    private readonly ContainerControl _containers;
    private readonly WorkerPool _pool;
    private readonly LocalRunActivities _activities;

    public LocalRunActivitiesTests()
    {
        var connection = new AccountConnection { Endpoint = new Uri("https://127.0.0.1:1/"), Key = "", Simulated = true };
        var store = _folder.StoreWith("r");
        _files = new RunFiles(store, "r");
        _stop = new RunStop(_files);
        _containers = new ContainerControl(connection);
        _pool = new WorkerPool(new WorkerHandshake { Account = connection, RunsFolder = _folder.Path }, "r", _folder.Path, _tally.Take);
        _pool.KillAll("the test is over");
        var account = new RunAccount(connection, process: null, new AccountFolder(_folder.Path));
        _activities = new LocalRunActivities(
            new(store, _files, account, new KeptLedger(new RunFolder(_folder.Path, "r"), account)), _containers, _pool, _stop, _tally);
    }

    [Fact]
    public async Task RunLegAsync_LegHasAResult_GivesItWithoutAProcess()
    {
        await WriteResultAsync(Output(LegEnd.TimeUp));
        var output = await _activities.RunLegAsync(Leg());
        Assert.Equal(Output(LegEnd.TimeUp) with { IsKept = true }, output);
        Assert.Equal(40, _tally.Snapshot().Done);
    }

    [Fact]
    public async Task RunLegAsync_ResultIsDamaged_RunsTheLegAndTheTallySaysWhy()
    {
        await WriteResultAsync(Output(LegEnd.TimeUp));
        var file = Path.Combine(_folder.Path, "r", "legs", "0000", "000001", "result.json");
        await File.WriteAllBytesAsync(file, [], TestContext.Current.CancellationToken);
        await _stop.RequestAsync();

        Assert.Equal(0, (await _activities.RunLegAsync(Leg())).Counts.Done);

        var tally = _tally.Snapshot();
        Assert.Equal((1, "r/legs/0000/000001/result.json is damaged: it is empty. It is kept as result.damaged-1.json"),
            (tally.LostLegs, Assert.Single(tally.Workers).LastError));
        Assert.False(File.Exists(file));
    }

    [Fact]
    public async Task RunLegAsync_ResultOfOtherDocuments_FailsForGoodAndNamesIt()
    {
        await WriteResultAsync(Output(LegEnd.TimeUp));
        var leg = Leg();
        var error = await Assert.ThrowsAsync<EvidenceException>(
            () => _activities.RunLegAsync(leg with { Assignment = leg.Assignment with { Slice = new NumberRange(0, 90) } }));
        Assert.True(OrchestrationTaskException.IsDeterministic(error.GetType().FullName!));
        Assert.Equal("it was made for the documents 0 to 99, and r/spec.json gives worker 0 the documents 0 to 89", error.Reason);
    }

    [Fact]
    public async Task RunLegAsync_LegWasStoppedBeforeTheResumption_GoesOn()
    {
        await WriteResultAsync(Output(LegEnd.Stopped));
        Assert.Equal(LegEnd.TimeUp, (await _activities.RunLegAsync(Leg())).End);
        await _stop.RequestAsync();
        Assert.Equal(LegEnd.Stopped, (await _activities.RunLegAsync(Leg())).End);
    }

    [Fact]
    public async Task RunLegAsync_StopRequested_BeginsNothing()
    {
        await _stop.RequestAsync();
        var output = await _activities.RunLegAsync(Leg());
        Assert.Equal((LegEnd.Stopped, 0L, 0L), (output.End, output.Counts.Done, output.Next));
        Assert.True(await _files.IsStopRequestedAsync(TestContext.Current.CancellationToken));
    }

    /// <summary>A leg is lost too if its process ended before it wrote anything to the run store.</summary>
    [Fact]
    public async Task RunLegAsync_NoProcess_IsLostForTheDisplayAndTheReport()
    {
        await Assert.ThrowsAsync<LegLostException>(() => _activities.RunLegAsync(Leg()));
        Assert.Equal(1, _tally.Snapshot().LostLegs);
        Assert.Equal(1, (await _files.ReadLegsAsync(TestContext.Current.CancellationToken)).LostLegs);
    }

    [Fact]
    public async Task RunLegAsync_AttemptCannotBeClaimed_SaysWhyAndCountsNoLostLeg()
    {
        // A file is in the place of the folder for legs.
        Directory.CreateDirectory(Path.Combine(_folder.Path, "r"));
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "r", "legs"), "", TestContext.Current.CancellationToken);
        var lost = await Assert.ThrowsAsync<LegLostException>(() => _activities.RunLegAsync(Leg()));
        Assert.StartsWith("the leg could not begin: ", lost.Message, StringComparison.Ordinal);
        Assert.Equal(0, _tally.Snapshot().LostLegs);
        Assert.NotNull(_tally.Snapshot().Workers[0].LastError);
    }

    [Fact]
    public async Task DelayAsync_StopRequested_EndsAtOnce()
    {
        var delay = _activities.DelayAsync(TimeSpan.FromHours(1));
        Assert.False(delay.IsCompleted);
        await _stop.RequestAsync();
        await delay.WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task CleanUpAsync_SimulatedAccount_LeavesItsLedger() => await _activities.CleanUpAsync(new PreparedContainer
    {
        Target = new ContainerTarget("scaleout", "run-r", "/PartitionKey"), Created = true, Simulated = true, CountBefore = 0,
    });

    public async ValueTask DisposeAsync()
    {
        await _pool.DisposeAsync();
        _containers.Dispose();
        _folder.Dispose();
    }

    private static LegInput Leg() => new()
    {
        Leg = 1,
        Next = 0,
        Assignment = new WorkerAssignment
        {
            RunId = "r", Worker = 0, Workers = 1, Slice = new NumberRange(0, 100), Workload = Spec.Workload, Document = Spec.Document,
            Client = Spec.SettingsOf(0), Container = new ContainerTarget("scaleout", "run-r", "/PartitionKey"),
            LegDuration = Spec.LegDuration, StartTimeout = Spec.StartTimeoutInEffect(),
        },
    };

    private static LegOutput Output(LegEnd end) => new() { Worker = 0, Leg = 1, End = end, Counts = new() { Inserted = 40 }, Next = 40 };

    private Task<LegResult> WriteResultAsync(LegOutput output) => _files.CreateResultIfAbsentAsync(
        new LegResult
        {
            Output = output, Range = new(new NumberRange(0, 100), 0, []), Attempt = 1, StartedAt = DateTimeOffset.UnixEpoch,
            EndedAt = DateTimeOffset.UnixEpoch, AttemptLatency = new(), OperationLatency = new(),
            Machine = new MachineReport { InstanceId = "m", ProcessId = 1, Cores = 1, MemoryBytes = 1 },
        },
        TestContext.Current.CancellationToken);
}
