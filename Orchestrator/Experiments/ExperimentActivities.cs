using Microsoft.Azure.Functions.Worker;
using ScaleOut.Experiments;
using ScaleOut.Experiments.Reporting;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.Orchestrator.Experiments;

/// <summary>The steps of an experiment that touch the outside. Each may be run again and then gives what it gave before.</summary>
public sealed class ExperimentActivities(IRunStore store, IRunCatalog catalog, TimeProvider time)
{
    [Function(ExperimentFunctionNames.IsExperimentStopRequested)]
    public Task<bool> IsStopRequestedAsync([ActivityTrigger] string experimentId, CancellationToken cancellationToken) =>
        new ExperimentFiles(store, experimentId).IsStopRequestedAsync(cancellationToken);

    /// <summary>Claims a run and lists it, unless it was measured before or its id belongs to another.</summary>
    [Function(ExperimentFunctionNames.ClaimExperimentRun)]
    public async Task<ExperimentRunClaim> ClaimRunAsync([ActivityTrigger] RunSpec spec, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, spec.Id!);
        if (!await files.TryClaimAsync(spec, cancellationToken))
        {
            if (await files.ReadSpecAsync(cancellationToken) is not { } claimed || !ClaimedRun.IsSame(claimed, spec))
                return new ExperimentRunClaim(Measured: null, IsInUse: true);
            if (await files.ReadEndedAsync(cancellationToken) is { Outcome: { State: not RunState.Stopped } outcome })
                return new ExperimentRunClaim(outcome, IsInUse: false);
        }

        await catalog.AddAsync(new RunListing(spec.Id!, spec.Name, time.GetUtcNow()), cancellationToken);
        return new ExperimentRunClaim(Measured: null, IsInUse: false);
    }

    /// <summary>Saves the report, and beside it the outcome, for whoever asks when the engine has forgotten the experiment.</summary>
    [Function(ExperimentFunctionNames.SaveExperimentReport)]
    public async Task<ExperimentOutcome> SaveReportAsync([ActivityTrigger] ExperimentEnding ending, CancellationToken cancellationToken)
    {
        var outcome = await ExperimentReportSaver.SaveAsync(store, ending, cancellationToken);
        var status = new ExperimentStatus { Phase = ExperimentPhase.Ended, Runs = outcome.Runs, Ended = ending.Runs.Count, NotComplete = outcome.NotComplete, Outcome = outcome };
        await new ExperimentFiles(store, outcome.ExperimentId).WriteStatusAsync(status, cancellationToken);
        return outcome;
    }
}
