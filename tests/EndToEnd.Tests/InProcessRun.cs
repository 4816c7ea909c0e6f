namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// A run without processes: its orchestration on the engine of the dev box, and real legs on the real SDK, all within the test.
/// </summary>
internal sealed class InProcessRun(AccountConnection account, IRunStore store)
{
    public ILogger Logger { get; init; } = NullLogger.Instance;
    public Func<LegInput, Task> LegEndedAsync { get; init; } = _ => Task.CompletedTask;
    public Action<RunEnding> BeforeReport { get; init; } = _ => { };

    /// <summary>Whether workers wait for each other. If not, the common start is the run's beginning.</summary>
    public bool StartTogether { get; init; } = true;

    /// <summary>The legs that the orchestration began.</summary>
    public ConcurrentQueue<LegInput> Legs { get; } = new();

    /// <summary>Runs a spec, which has an id, to its end.</summary>
    public async Task<RunOutcome> RunAsync(RunSpec spec, CancellationToken cancellation)
    {
        using var containers = new ContainerControl(account);
        var runners = new ConcurrentDictionary<int, LegRunner>();
        var engine = new LocalEngine(Logger);
        engine.AddOrchestrator<RunSpec, RunOutcome>(FunctionNames.RunOrchestrator, RunOrchestrator.RunAsync);
        engine.AddOrchestrator<LegInput, WorkerOutcome>(FunctionNames.WorkerOrchestrator, WorkerOrchestrator.RunAsync);
        engine.AddActivity<RunSpec, Admission>(FunctionNames.AdmitRun, async _ =>
        {
            var (files, now) = (new RunFiles(store, spec.Id!), engine.Clock.UtcNow);
            await files.NoteBegunAsync(now, cancellation);
            if (!StartTogether)
                await files.SetStartAsync(new StartInstant(now, Ready: 0), cancellation);
            return new Admission(AdmissionState.Admitted);
        });
        engine.AddActivity<RunSpec, Preparation>(FunctionNames.PrepareContainer, run => containers.PrepareAsync(run, store, cancellation));
        engine.AddActivity<LegInput, LegOutput>(FunctionNames.RunLeg, async leg =>
        {
            Legs.Enqueue(leg);
            var runner = runners.GetOrAdd(
                leg.Assignment.Worker, _ => new LegRunner(store, account, new NoProgress()) { WorkersShareMachine = true });
            var output = await runner.RunAsync(leg, cancellation);
            await LegEndedAsync(leg);
            return output;
        });
        engine.AddActivity<ThroughputChange, ThroughputChangeResult>(
            FunctionNames.ChangeThroughput,
            change => ThroughputChanges.ApplyAsync(
                new RunFiles(store, spec.Id!), containers, change, () => engine.Clock.UtcNow, onOneMachine: true, cancellation));
        engine.AddActivity<PreparedContainer, Verification>(
            FunctionNames.VerifyContainer, container => containers.VerifyAsync(container, cancellation));
        engine.AddActivity<RunEnding, RunOutcome>(FunctionNames.SaveReport, async ending =>
        {
            BeforeReport(ending);
            return (await ReportSaver.SaveAsync(store, ending, cancellation)).Outcome;
        });
        engine.AddActivity<PreparedContainer, bool>(FunctionNames.CleanUp, _ => Task.FromResult(true));
        engine.AddActivity<RunEnded, bool>(FunctionNames.EndRun, async ended =>
        {
            await new RunFiles(store, spec.Id!).WriteEndedAsync(ended, cancellation);
            return true;
        });
        try
        {
            return await engine.RunAsync<RunOutcome>(FunctionNames.RunOrchestrator, spec, spec.Id!);
        }
        finally
        {
            foreach (var runner in runners.Values)
                await runner.DisposeAsync();
        }
    }
}
