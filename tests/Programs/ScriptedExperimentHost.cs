namespace ScaleOut.Tests.Programs;

/// <summary>A host whose runs take no time. The first is measured at once, the others at the third reading of the status.</summary>
internal sealed class ScriptedExperimentHost(IRunStore store) : IExperimentHost
{
    private readonly ConcurrentDictionary<string, (ExperimentSpec Spec, int Reads)> _running = new();

    /// <summary>Thrown by every start.</summary>
    public Exception? Broken { get; init; }

    public Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        if (Broken is { } broken)
            throw broken;
        _running[spec.Id!] = (spec, 0);
        return Task.CompletedTask;
    }

    public async Task<ResumeResult> TryResumeAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        if (Broken is { } broken)
            throw broken;
        var left = await UnmeasuredRuns.FindAsync(store, new GridPlanner(spec).All, cancellationToken);
        return left.Count == 0 ? ResumeResult.Nothing
            : _running.TryAdd(spec.Id!, (spec, 0)) ? ResumeResult.Resumed(left.Select(run => run.Spec))
            : ResumeResult.Rejected("Another request has just resumed it.");
    }

    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (!_running.TryRemove(id, out var experiment))
            return StopResult.Unknown;
        await EndAsync(experiment.Spec, stopped: true);
        return StopResult.Stopping;
    }

    public async Task<HostedExperiment?> ReadStatusAsync(string id, ExperimentSpec? spec, CancellationToken cancellationToken)
    {
        if (!_running.TryGetValue(id, out var experiment))
            return null;
        if (experiment.Reads < 2)
        {
            _running[id] = (experiment.Spec, experiment.Reads + 1);
            var runs = new GridPlanner(experiment.Spec).All;
            var status = new ExperimentStatus
            {
                Phase = ExperimentPhase.Running, Runs = runs.Count, Ended = 1, NotComplete = 0, RunId = runs[1].Spec.Id,
            };
            return new HostedExperiment(HostedState.Running, status, []);
        }

        _running.TryRemove(id, out _);
        await EndAsync(experiment.Spec, stopped: false);
        // The status that the interface read from the run store before is out of date by now.
        return new HostedExperiment(HostedState.Complete, await new ExperimentFiles(store, id).ReadStatusAsync(cancellationToken), []);
    }

    private async Task EndAsync(ExperimentSpec spec, bool stopped)
    {
        var runs = new GridPlanner(spec).All;
        var ends = new List<MeasuredRun>();
        foreach (var run in stopped ? runs.Take(1) : runs)
        {
            await MeasureAsync(run.Spec);
            ends.Add(new MeasuredRun { Variant = run.Variant, Repeat = run.Repeat, RunId = run.Spec.Id!, State = RunState.Complete });
        }

        var ending = new ExperimentEnding
        {
            Spec = spec, StartedAt = RunSample.Start, FinishedAt = RunSample.Start.AddMinutes(1), Runs = ends, Stopped = stopped,
        };
        var outcome = await ExperimentSteps.SaveReportAsync(store, ending, CancellationToken.None);
        var status = new ExperimentStatus
        {
            Phase = ExperimentPhase.Ended, Runs = runs.Count, Ended = ends.Count, NotComplete = 0, Outcome = outcome,
        };
        await new ExperimentFiles(store, spec.Id!).WriteStatusAsync(status, CancellationToken.None);
    }

    private async Task MeasureAsync(RunSpec spec)
    {
        var files = new RunFiles(store, spec.Id!);
        if (!await files.TryClaimAsync(spec, CancellationToken.None))
            return;
        var sample = new RunSample { Spec = spec, Seconds = 10, Partitions = 1 };
        await sample.WriteLegsAsync(files);
        var (outcome, _) = await ReportSaver.SaveAsync(store, sample.Ending(), CancellationToken.None);
        await files.WriteEndedAsync(new RunEnded(outcome, sample.Ending().FinishedAt), CancellationToken.None);
    }
}
