using System.Collections.Concurrent;
using ScaleOut.Experiments;
using ScaleOut.Experiments.Reporting;
using ScaleOut.Http;
using ScaleOut.Storage;
using ScaleOut.Tests.Reports;

namespace ScaleOut.Tests.Http;

/// <summary>A host that measures nothing: an experiment has ended when its status is read for the second time.</summary>
internal sealed class ScriptedExperimentHost(IRunStore store) : IExperimentHost
{
    private readonly ConcurrentDictionary<string, (ExperimentSpec Spec, int Reads)> _running = new();

    /// <summary>Is thrown by every start.</summary>
    public Exception? Broken { get; init; }

    public Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        if (Broken is { } broken)
            throw broken;
        _running[spec.Id!] = (spec, 0);
        return Task.CompletedTask;
    }

    public async Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (!_running.TryRemove(id, out var experiment))
            return StopAnswer.Unknown;
        await EndAsync(experiment.Spec, stopped: true);
        return StopAnswer.Stopping;
    }

    public async Task<HostedExperiment?> ReadStatusAsync(string id, CancellationToken cancellationToken)
    {
        if (!_running.TryGetValue(id, out var experiment))
            return null;
        if (experiment.Reads < 2)
        {
            _running[id] = (experiment.Spec, experiment.Reads + 1);
            return new HostedExperiment(HostedState.Running, Status: null, []);
        }

        _running.TryRemove(id, out _);
        await EndAsync(experiment.Spec, stopped: false);
        // What the interface read of the run store before is old by now.
        return new HostedExperiment(HostedState.Complete, await new ExperimentFiles(store, id).ReadStatusAsync(cancellationToken), []);
    }

    private async Task EndAsync(ExperimentSpec spec, bool stopped)
    {
        var ends = ExperimentRuns.Of(spec).Select(run => new ExperimentRunEnd { Variant = run.Variant, Repeat = run.Repeat, RunId = run.Spec.Id!, Reason = "not measured here" }).ToList();
        var ending = new ExperimentEnding { Spec = spec, StartedAt = RunSample.Start, FinishedAt = RunSample.Start.AddMinutes(1), Runs = stopped ? [] : ends, Stopped = stopped };
        var outcome = await ExperimentReportSaver.SaveAsync(store, ending, CancellationToken.None);
        var status = new ExperimentStatus { Phase = ExperimentPhase.Ended, Runs = ends.Count, Ended = ending.Runs.Count, NotComplete = 0, Outcome = outcome };
        await new ExperimentFiles(store, spec.Id!).WriteStatusAsync(status, CancellationToken.None);
    }
}
