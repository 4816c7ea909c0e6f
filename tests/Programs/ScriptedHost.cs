namespace ScaleOut.Tests.Programs;

/// <summary>
/// A host without workers. Small runs end at the second reading of their status, and large ones go on until they are stopped.
/// </summary>
internal sealed class ScriptedHost(IRunStore store) : IRunHost
{
    private const long Small = 10_000;

    private readonly ConcurrentDictionary<string, (RunSpec Spec, int Reads)> _running = new();

    /// <summary>Thrown by every start.</summary>
    public Exception? Broken { get; init; }

    public Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        if (Broken is { } broken)
            throw broken;
        _running[spec.Id!] = (spec, 0);
        return Task.CompletedTask;
    }

    public Task<ResumeResult> TryResumeAsync(RunSpec spec, CancellationToken cancellationToken) =>
        Task.FromResult(ResumeResult.Rejected("This server cannot resume a run."));

    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (!_running.TryRemove(id, out var run))
            return StopResult.Unknown;
        await EndAsync(run.Spec, WorkerState.Stopped);
        return StopResult.Stopping;
    }

    public async Task<RunStatus?> ReadStatusAsync(string id, RunSpec? spec, CancellationToken cancellationToken)
    {
        if (!_running.TryGetValue(id, out var run))
            return null;
        if (run.Spec.Documents <= Small && run.Reads > 0)
        {
            _running.TryRemove(id, out _);
            await EndAsync(run.Spec, WorkerState.Done);
            return null;
        }

        _running[id] = (run.Spec, run.Reads + 1);
        return new RunStatus
        {
            State = HostedState.Running,
            Phase = RunPhase.Running,
            StartedAt = RunSample.Start,
            ElapsedSeconds = 1,
            Asked = run.Spec.Documents,
            Counts = new() { Inserted = 1 },
            PerSecond = new Rates(1, 0, 5.71),
            Workers = [.. Enumerable.Range(0, run.Spec.Workers).Select(Worker)],
        };
    }

    private async Task EndAsync(RunSpec spec, WorkerState end)
    {
        var sample = new RunSample { Spec = spec, Seconds = 10, Partitions = 1 };
        var files = new RunFiles(store, spec.Id!);
        await sample.WriteLegsAsync(files);
        var ending = sample.Ending();
        ending = ending with { Workers = [.. ending.Workers.Select(worker => worker with { End = end })] };
        var (outcome, _) = await ReportSaver.SaveAsync(
            store, end == WorkerState.Done ? ending : ending with { Verification = new Verification(1) }, CancellationToken.None);
        await files.WriteEndedAsync(new RunEnded(outcome, ending.FinishedAt), CancellationToken.None);
    }

    private static WorkerStatus Worker(int index) => new()
    {
        Index = index, State = WorkerState.Running, Leg = 1, Asked = 10,
        Counts = new() { Inserted = 1, RequestUnits = RequestUnits.From(5.71) }, PerSecond = new Rates(1, 0, 5.71),
    };
}
