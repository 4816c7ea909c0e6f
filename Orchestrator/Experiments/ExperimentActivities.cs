using Microsoft.Azure.Functions.Worker;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Analysis.Limits;
using ScaleOut.Experiments;
using ScaleOut.Limits;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Containers;
using ScaleOut.Workers.Maintenance;

namespace ScaleOut.Orchestrator.Experiments;

/// <summary>The steps of an experiment that touch the outside. Each may be run again and then gives what it gave before.</summary>
/// <param name="store">The run store.</param>
/// <param name="catalog">The list of runs.</param>
/// <param name="open">Gives control of the account's containers.</param>
/// <param name="account">The app's accounts.</param>
/// <param name="time">Clock.</param>
public sealed class ExperimentActivities(
    IRunStore store, IRunCatalog catalog, Func<IContainerControl> open, AccountConnection account, TimeProvider time)
{
    /// <summary>Legs look for a request to stop each second, and end within two.</summary>
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(4);

    [Function(ExperimentFunctionNames.IsExperimentStopRequested)]
    public Task<bool> IsStopRequestedAsync([ActivityTrigger] string experimentId, CancellationToken cancellationToken) =>
        new ExperimentFiles(store, experimentId).IsStopRequestedAsync(cancellationToken);

    /// <summary>Why variants cannot be measured on instances of a plan, by their index.</summary>
    [Function(ExperimentFunctionNames.CheckVariants)]
    public IReadOnlyDictionary<int, string> CheckVariants([ActivityTrigger] ExperimentSpec spec)
    {
        ArgumentNullException.ThrowIfNull(spec);
        return Enumerable.Range(0, spec.Variants.Count)
            .Select(variant => (variant, Reason: WhyNotTestable(ExperimentRuns.PlanOf(spec, variant), account)))
            .Where(found => found.Reason is not null)
            .ToDictionary(found => found.variant, found => found.Reason!);
    }

    /// <summary>Why a run cannot be measured here; null when it can.</summary>
    internal static string? WhyNotTestable(RunSpec run, AccountConnection account) =>
        InstanceLimits.WhyNotTestable(run) ?? TableAccount.WhyNotTestable(run, account.Tables);

    /// <summary>
    /// Claims a run and lists it, unless it was measured before or its id belongs to another. One that was interrupted begins again, in an
    /// orchestration of its own.
    /// </summary>
    [Function(ExperimentFunctionNames.ClaimExperimentRun)]
    public async Task<ExperimentRunClaim> ClaimRunAsync([ActivityTrigger] ExperimentRunRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        var spec = request.Spec;
        var files = new RunFiles(store, spec.Id!);
        var isNew = await files.TryClaimAsync(spec, cancellationToken);
        if (!isNew && await ReadFormerAsync(files, spec, cancellationToken) is { } found)
            return found;
        var instanceId = request.Attempt == 1 ? null : await ResumeAsync(request, files, isNew, cancellationToken);
        await catalog.AddAsync(new RunListing(spec.Id!, spec.Name, time.GetUtcNow()), cancellationToken);
        return new ExperimentRunClaim { InstanceId = instanceId };
    }

    /// <summary>Saves the report, and beside it the outcome, for whoever asks when the engine has forgotten the experiment.</summary>
    [Function(ExperimentFunctionNames.SaveExperimentReport)]
    public async Task<ExperimentOutcome> SaveReportAsync([ActivityTrigger] ExperimentEnding ending, CancellationToken cancellationToken)
    {
        var outcome = await ExperimentReportSaver.SaveAsync(store, ending, cancellationToken);
        await WriteEndAsync(outcome, ending.Runs.Count, cancellationToken);
        return outcome;
    }

    /// <summary>Whether a run of a search held its rate.</summary>
    [Function(ExperimentFunctionNames.MeasureLimit)]
    public Task<LimitMeasurement> MeasureLimitAsync([ActivityTrigger] LimitRunRequest request, CancellationToken cancellationToken) =>
        LimitSteps.MeasureAsync(store, request, cancellationToken);

    /// <summary>Saves the report of a search, and beside it the outcome.</summary>
    [Function(ExperimentFunctionNames.SaveLimitReport)]
    public async Task<ExperimentOutcome> SaveLimitReportAsync([ActivityTrigger] LimitEnding ending, CancellationToken cancellationToken)
    {
        var outcome = await LimitSteps.SaveReportAsync(store, ending, cancellationToken);
        await WriteEndAsync(outcome, outcome.Runs, cancellationToken);
        return outcome;
    }

    private Task WriteEndAsync(ExperimentOutcome outcome, int ended, CancellationToken cancellationToken) =>
        new ExperimentFiles(store, outcome.ExperimentId).WriteStatusAsync(
            new ExperimentStatus
            {
                Phase = ExperimentPhase.Ended,
                Runs = outcome.Runs,
                Ended = ended,
                NotComplete = outcome.NotComplete,
                Outcome = outcome,
            },
            cancellationToken);

    /// <summary>What is known of a run that was claimed before; null when it is this one's to run.</summary>
    private static async Task<ExperimentRunClaim?> ReadFormerAsync(RunFiles files, RunSpec spec, CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed || !ClaimedRun.IsSame(claimed, spec))
            return ExperimentRunClaim.OfAnother(spec.Id!);
        return await MeasuredRuns.OutcomeAsync(files, cancellationToken) is { } outcome
            ? new ExperimentRunClaim { Measured = outcome }
            : null;
    }

    /// <summary>Makes way for a run of a resumed experiment; returns the instance id of the orchestration that runs it.</summary>
    private async Task<string> ResumeAsync(ExperimentRunRequest request, RunFiles files, bool isNew, CancellationToken cancellationToken)
    {
        var instanceId = ChildIds.Again(request.Spec.Id!, request.Attempt);
        // A second call of the same attempt must not discard what the first has made way for.
        if (await files.ReadResumptionAsync(cancellationToken) is not { } known || known.Attempt < request.Attempt)
        {
            if (!isNew)
                await ClearAsync(request.Spec, files, cancellationToken);
            await files.WriteResumptionAsync(new RunResumption(request.Attempt, instanceId, time.GetUtcNow()), cancellationToken);
        }

        // The experiment is asked to stop before the run that is under way: what was discarded may have been that request.
        if (await new ExperimentFiles(store, request.ExperimentId).IsStopRequestedAsync(cancellationToken))
            await files.RequestStopAsync(cancellationToken);
        return instanceId;
    }

    /// <summary>
    /// Lets a run that came to no end stop, deletes the container that it has left, and then what it did: a measurement with a break in it
    /// is none.
    /// </summary>
    /// <exception cref="AccountException">The container could not be deleted.</exception>
    private async Task ClearAsync(RunSpec spec, RunFiles files, CancellationToken cancellationToken)
    {
        if (await files.FindEndedAsync(cancellationToken) is null)
        {
            // Its orchestration is gone, but nothing ends an activity.
            await files.RequestStopAsync(cancellationToken);
            await Task.Delay(LastWords, time, cancellationToken);
        }

        if (await LeftContainers.LeftOfAsync(new RunListing(spec.Id!, spec.Name, time.GetUtcNow()), files, cancellationToken) is { } left)
        {
            using var containers = open();
            await LeftContainerRemoval.RemoveAsync(containers, store, left, cancellationToken);
        }

        await files.DiscardAsync(cancellationToken);
    }
}
