using Microsoft.Azure.Functions.Worker;
using ScaleOut.Analysis.Limits;
using ScaleOut.Experiments;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Maintenance;

namespace ScaleOut.Orchestrator.Experiments;

/// <summary>The steps of an experiment that touch the outside. Each may be run again and then gives what it gave before.</summary>
/// <param name="store">The run store.</param>
/// <param name="catalog">The list of runs.</param>
/// <param name="open">Gives control of the account's containers.</param>
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
        return Enumerable.Range(0, spec.Variants.Count)
            .Select(variant => (variant, Reason: WhyNotTestable(GridPlanner.PlanOf(spec, variant), account)))
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
        var spec = request.Spec;
        var files = new RunFiles(store, spec.Id!);
        var isNew = await files.TryClaimAsync(spec, cancellationToken);
        if (!isNew && await ReadFormerAsync(files, spec, cancellationToken) is { } found)
            return found;
        string? instanceId = null;
        if (request.Attempt > 1)
        {
            if (await MakeWayAsync(request, files, isNew, cancellationToken) is { } reason)
                return new ExperimentRunClaim { NotClaimed = reason };
            instanceId = await ResumeAsync(request, files, cancellationToken);
        }

        await files.KeepStartedByAsync(ExperimentIds.StartOf(request.ExperimentId), cancellationToken);
        var listing = new RunListing(spec.Id!, spec.Name, time.GetUtcNow()) { Experiment = request.ExperimentId };
        await catalog.AddAsync(listing, cancellationToken);
        return new ExperimentRunClaim { InstanceId = instanceId };
    }

    /// <summary>Saves the report, and the outcome beside it, which outlives the engine's history.</summary>
    [Function(ExperimentFunctionNames.SaveExperimentReport)]
    public async Task<ExperimentOutcome> SaveReportAsync([ActivityTrigger] ExperimentEnding ending, CancellationToken cancellationToken)
    {
        var outcome = await ExperimentSteps.SaveReportAsync(store, ending, cancellationToken);
        var status = new ExperimentStatus
        {
            Phase = ExperimentPhase.Ended,
            Runs = outcome.Runs,
            Ended = ending.Runs.Count,
            NotComplete = outcome.NotComplete,
            Outcome = outcome,
        };
        await new ExperimentFiles(store, outcome.ExperimentId).WriteStatusAsync(status, cancellationToken);
        return outcome;
    }

    /// <summary>Whether a run of a search held its rate.</summary>
    [Function(ExperimentFunctionNames.JudgeRate)]
    public Task<MeasuredRun> JudgeRateAsync([ActivityTrigger] RateQuestion question, CancellationToken cancellationToken) =>
        ExperimentSteps.JudgeRateAsync(store, question, cancellationToken);

    /// <summary>The claim of a run that was claimed before; null when this experiment is to run it.</summary>
    private static async Task<ExperimentRunClaim?> ReadFormerAsync(RunFiles files, RunSpec spec, CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed || !ClaimedRun.IsSame(claimed, spec))
            return ExperimentRunClaim.OfAnother(spec.Id!);
        return await UnmeasuredRuns.OutcomeAsync(files, cancellationToken) is { } outcome
            ? new ExperimentRunClaim { Measured = outcome }
            : null;
    }

    /// <summary>Names the orchestration of a run of a resumed experiment; returns its instance id.</summary>
    private async Task<string> ResumeAsync(ExperimentRunRequest request, RunFiles files, CancellationToken cancellationToken)
    {
        var instanceId = ChildIds.Again(request.Spec.Id!, request.Attempt);
        if (!await IsResumedAsync(request, files, cancellationToken))
            await files.WriteResumptionAsync(new RunResumption(request.Attempt, instanceId, time.GetUtcNow()), cancellationToken);

        // The experiment is asked to stop before the run that is under way: what was discarded may have been that request.
        if (await new ExperimentFiles(store, request.ExperimentId).IsStopRequestedAsync(cancellationToken))
            await files.RequestStopAsync(cancellationToken);
        return instanceId;
    }

    private static async Task<bool> IsResumedAsync(ExperimentRunRequest request, RunFiles files, CancellationToken cancellationToken) =>
        await files.ReadResumptionAsync(cancellationToken) is { } known && known.Attempt >= request.Attempt;

    /// <summary>
    /// Lets a run that came to no end stop, deletes the container that it has left, and prepares its new one. What the run did goes when
    /// that is ready: a measurement with a break in it is none. Until then all that is kept of it stays as it was.
    /// </summary>
    /// <returns>Why the run cannot have its container; null when it has it.</returns>
    private async Task<string?> MakeWayAsync(
        ExperimentRunRequest request, RunFiles files, bool isNew, CancellationToken cancellationToken)
    {
        // A second call of the same attempt must not discard what the first has made way for.
        if (isNew || await IsResumedAsync(request, files, cancellationToken))
            return null;
        var wasAsked = await files.IsStopRequestedAsync(cancellationToken);
        if (await files.ReadEndedAsync(cancellationToken) is null)
        {
            // Its orchestration is gone, but nothing ends an activity.
            await files.RequestStopAsync(cancellationToken);
            await Task.Delay(LastWords, time, cancellationToken);
        }

        var reason = await ReplaceContainerAsync(request.Spec, files, cancellationToken);
        if (reason is not null && !wasAsked)
            await files.WithdrawStopAsync(cancellationToken);
        return reason;
    }

    private async Task<string?> ReplaceContainerAsync(RunSpec spec, RunFiles files, CancellationToken cancellationToken)
    {
        using var containers = open();
        try
        {
            var listing = new RunListing(spec.Id!, spec.Name, time.GetUtcNow());
            if (await LeftContainers.LeftOfAsync(listing, files, cancellationToken) is { } left
                && !await LeftContainerRemoval.RemoveAsync(containers, store, left, cancellationToken))
                return $"The account could not be asked for the container that the run '{spec.Id}' may have begun to create.";
            var preparation = await containers.PrepareAsync(spec, new RemeasuredRunStore(store), cancellationToken);
            return preparation.Rejections is [var first, ..] ? first : null;
        }
        catch (AccountException e)
        {
            return e.Message;
        }
    }
}
