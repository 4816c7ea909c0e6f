namespace ScaleOut.Tests.EndToEnd.Reporting;

/// <summary>
/// A run on the real SDK against the simulated account. Its program dies after its first legs, and a second program resumes the run three
/// days later by its clock. Meanwhile the wall clock is set forward by an hour. No true rate is above the account's budget.
/// </summary>
public sealed class InterruptedRun : IAsyncLifetime
{
    public static readonly TimeSpan Interrupted = TimeSpan.FromDays(3);

    public static readonly RunSpec Spec = new()
    {
        Id = "interrupted", Documents = 6_000, Workers = 2, LegDuration = TimeSpan.FromSeconds(3), Warmup = TimeSpan.FromSeconds(1),
        Client = new ClientSpec { ConnectionMode = ConnectionMode.Gateway, Concurrency = 5 },
        Container = new ContainerSpec { Throughput = 4_000 }, Simulation = new SimulationSpec { Latency = LatencyProfile.None },
    };

    private readonly TemporaryFolder _folder = new();
    private readonly ConcurrentQueue<RunEnding> _endings = new();

    /// <summary>The report that the second program saved.</summary>
    public RunReport Report { get; private set; } = null!;

    public RunEnding Ending => _endings.Single();

    public RunLegs Legs { get; private set; } = null!;

    private FolderRunStore Store => new(_folder.Path);

    public async ValueTask InitializeAsync()
    {
        var cancellation = TestContext.Current.CancellationToken;
        var options = AccountSettings.From(Spec.Simulation!, Spec.Seed);
        await using var account = await SimulatedAccount.StartAsync(options, cancellation);
        var files = new RunFiles(Store, Spec.Id!);
        await files.TryClaimAsync(Spec, cancellation);
        await LiveAsync(account.Connection(), new ShiftedTime(), diesAt: 2, cancellation);
        await LiveAsync(account.Connection(), new ShiftedTime(Interrupted), diesAt: null, cancellation);

        Report = RunForms.Kind.Read(await files.ReadReportAsync("report.json", cancellation));
        var (start, begun) = (await files.ReadStartAsync(cancellation), await files.ReadBegunAsync(cancellation));
        var legs = await files.ReadLegsAsync(cancellation);
        // Each leg with its own partitions, so that it can be moved with them.
        var whole = legs.Results.Select(leg => files.ReadOrSetAsideResultBeforeAsync(leg.Output.Worker, leg.Output.Leg + 1, cancellation));
        Legs = legs with
        {
            Start = start,
            Begun = begun,
            Partitions = null,
            Results = [.. (await Task.WhenAll(whole)).Select(leg => leg.Result!)],
        };
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>
    /// The run with an interruption that is longer by whole seconds. With three days less, only the time that the test took is left.
    /// </summary>
    public (RunEnding Ending, RunLegs Legs) With(TimeSpan longer) =>
    (
        Ending with { StartedAt = Ending.StartedAt + longer, FinishedAt = Ending.FinishedAt + longer },
        Legs with
        {
            Results = [.. Legs.Results.Select(leg => leg.Output.Leg > 1 ? Shift(leg, longer) : leg)],
            Begun = [Legs.Begun[0], Legs.Begun[1] + longer],
        }
    );

    /// <summary>The run as if it had been resumed at once, without the three days.</summary>
    public (RunEnding Ending, RunLegs Legs) Straight()
    {
        var (ending, legs) = With(-Interrupted);
        return (ending with { StartedAt = legs.Begun[0] }, legs);
    }

    public static LegResult Shift(LegResult leg, TimeSpan by) => leg with
    {
        StartedAt = leg.StartedAt + by,
        EndedAt = leg.EndedAt + by,
        Seconds = [.. leg.Seconds.Select(sample => sample with { Second = sample.Second + (long)by.TotalSeconds })],
        Partitions = [.. leg.Partitions.Select(sample => sample with { FirstSecond = sample.FirstSecond + (long)by.TotalSeconds })],
        Clocks = leg.Clocks! with { DispatchedAt = leg.Clocks.DispatchedAt + by, ReceivedAt = leg.Clocks.ReceivedAt + by },
    };

    /// <summary>Runs one program until the run ends or the program dies.</summary>
    private async Task LiveAsync(AccountConnection connection, ShiftedTime time, int? diesAt, CancellationToken cancellation)
    {
        var files = new RunFiles(Store, Spec.Id!);
        using var containers = new ContainerControl(connection);
        var runners = Enumerable.Range(0, Spec.Workers)
            .Select(_ => new LegRunner(Store, connection, new NoProgress(), time) { WorkersShareMachine = true })
            .ToList();
        var died = new CountdownEvent(Spec.Workers);
        var dead = new TaskCompletionSource();
        var engine = new LocalEngine(NullLogger.Instance, time);
        engine.AddOrchestrator<RunSpec, RunOutcome>(FunctionNames.RunOrchestrator, RunOrchestrator.RunAsync);
        engine.AddOrchestrator<LegInput, WorkerOutcome>(FunctionNames.WorkerOrchestrator, WorkerOrchestrator.RunAsync);
        engine.AddActivity<RunSpec, Admission>(FunctionNames.AdmitRun, _ => Task.FromResult(new Admission(AdmissionState.Admitted)));
        engine.AddActivity<RunSpec, Preparation>(FunctionNames.PrepareContainer, run => containers.PrepareAsync(run, Store, cancellation));
        engine.AddActivity<LegInput, LegOutput>(FunctionNames.RunLeg, RunLegAsync);
        engine.AddActivity<PreparedContainer, Verification>(
            FunctionNames.VerifyContainer, container => containers.VerifyAsync(container, cancellation));
        engine.AddActivity<RunEnding, RunOutcome>(FunctionNames.SaveReport, async ending =>
        {
            _endings.Enqueue(ending);
            return (await ReportSaver.SaveAsync(Store, ending, cancellation)).Outcome;
        });
        engine.AddActivity<PreparedContainer, bool>(FunctionNames.CleanUp, _ => Task.FromResult(true));
        engine.AddActivity<RunEnded, bool>(FunctionNames.EndRun, _ => Task.FromResult(true));

        await files.NoteBegunAsync(engine.Clock.UtcNow, cancellation);
        await await Task.WhenAny(engine.RunAsync<RunOutcome>(FunctionNames.RunOrchestrator, Spec, Spec.Id!), dead.Task);
        foreach (var runner in runners)
            await runner.DisposeAsync();

        async Task<LegOutput> RunLegAsync(LegInput leg)
        {
            if (leg.Leg == diesAt)
            {
                // The leg had begun when the program died.
                await files.ClaimAttemptAsync(leg.Assignment.Worker, leg.Leg, "dead", cancellation);
                if (died.Signal())
                    dead.SetResult();
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellation);
            }

            if (diesAt is null && leg.Leg == 3)
                time.Offset = Interrupted + TimeSpan.FromHours(1);
            return await runners[leg.Assignment.Worker].RunAsync(leg, cancellation);
        }
    }
}
