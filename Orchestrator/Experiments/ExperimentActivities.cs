using Microsoft.Azure.Functions.Worker;
using ScaleOut.Analysis.Limits;

namespace ScaleOut.Orchestrator.Experiments;

/// <summary>The activities of an experiment. Each can be run again, and then returns the same result.</summary>
/// <param name="open">Opens the control of the account's containers.</param>
public sealed class ExperimentActivities(
    IRunStore store, IRunCatalog catalog, Func<IContainerControl> open, AccountConnection account, TimeProvider time)
{
    /// <summary>Time for legs to stop. They read the request each second, and end within two.</summary>
    private static readonly TimeSpan StopTime = TimeSpan.FromSeconds(4);

    [Function(ExperimentFunctionNames.IsExperimentStopRequested)]
    public Task<bool> IsStopRequestedAsync([ActivityTrigger] string experimentId, CancellationToken cancellationToken) =>
        new ExperimentFiles(store, experimentId).IsStopRequestedAsync(cancellationToken);

    /// <summary>Reasons why variants cannot be measured here, by the index of the variant.</summary>
    [Function(ExperimentFunctionNames.CheckVariants)]
    public IReadOnlyDictionary<int, string> CheckVariants([ActivityTrigger] ExperimentSpec spec)
    {
        return Enumerable.Range(0, spec.Variants.Count)
            .Select(variant => (variant, Reason: WhyNotTestable(GridPlanner.PlanOf(spec, variant), account)))
            .Where(found => found.Reason is not null)
            .ToDictionary(found => found.variant, found => found.Reason!);
    }

    /// <summary>Why a run cannot be measured here; null if it can.</summary>
    internal static string? WhyNotTestable(RunSpec run, AccountConnection account) =>
        InstanceLimits.WhyNotTestable(run) ?? TableAccount.WhyNotTestable(run, account.Tables);

    /// <summary>
    /// Claims a run and adds it to the list of runs, unless it was measured before or its id belongs to another run. An interrupted run
    /// begins again, in an orchestration of its own.
    /// </summary>
    [Function(ExperimentFunctionNames.ClaimExperimentRun)]
    public async Task<ExperimentRunClaim> ClaimRunAsync([ActivityTrigger] ExperimentRunRequest request, CancellationToken cancellationToken)
    {
        var spec = request.Spec;
        var files = new RunFiles(store, spec.Id!);
        var isNew = await files.TryClaimAsync(spec, cancellationToken);
        if (!isNew && await ReadFormerAsync(files, request, cancellationToken) is { } found)
            return found;
        string? instanceId = null;
        if (request.Attempt > 1)
        {
            if (await DiscardFormerAttemptAsync(request, files, isNew, cancellationToken) is { } reason)
                return new ExperimentRunClaim { NotClaimed = reason };
            instanceId = await ResumeAsync(request, files, cancellationToken);
        }

        await files.CreateStartedByIfAbsentAsync(ExperimentIds.StartOf(request.ExperimentId), cancellationToken);
        var listing = new RunListing(spec.Id!, spec.Name, time.GetUtcNow()) { Experiment = request.ExperimentId };
        await catalog.AddAsync(listing, cancellationToken);
        return new ExperimentRunClaim { InstanceId = instanceId };
    }

    /// <summary>Saves the report, and the outcome in the run store, because the engine's history may be deleted.</summary>
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

    /// <summary>Decides whether a run of a search held its rate.</summary>
    [Function(ExperimentFunctionNames.JudgeRate)]
    public Task<MeasuredRun> JudgeRateAsync([ActivityTrigger] RateQuestion question, CancellationToken cancellationToken) =>
        ExperimentSteps.JudgeRateAsync(store, question, cancellationToken);

    /// <summary>The result for a run that was claimed before; null if this experiment has to measure it.</summary>
    private async Task<ExperimentRunClaim?> ReadFormerAsync(
        RunFiles files, ExperimentRunRequest request, CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed || !ClaimedRun.IsSame(claimed, request.Spec))
            return ExperimentRunClaim.OfAnother(request.Spec.Id!);
        if (await UnmeasuredRuns.OutcomeAsync(files, cancellationToken) is not { } outcome)
            return null;
        // A resumed search repeats a run with an inconclusive result, but only once.
        var mustRepeat = request is { Attempt: > 1, Question: { } question } && !await IsResumedAsync(request, files, cancellationToken)
            && (await JudgeRateAsync(question, cancellationToken)).Held is null;
        return mustRepeat ? null : new ExperimentRunClaim { Measured = outcome };
    }

    /// <summary>Records the orchestration of a run of a resumed experiment. Returns its instance id.</summary>
    private async Task<string> ResumeAsync(ExperimentRunRequest request, RunFiles files, CancellationToken cancellationToken)
    {
        var instanceId = ChildIds.Again(request.Spec.Id!, request.Attempt);
        if (!await IsResumedAsync(request, files, cancellationToken))
            await files.WriteResumptionAsync(new RunResumption(request.Attempt, instanceId, time.GetUtcNow()), cancellationToken);

        // A request to stop is written for the experiment first and then for its run. The run's may have been deleted with its items.
        if (await new ExperimentFiles(store, request.ExperimentId).IsStopRequestedAsync(cancellationToken))
            await files.RequestStopAsync(cancellationToken);
        return instanceId;
    }

    private static async Task<bool> IsResumedAsync(ExperimentRunRequest request, RunFiles files, CancellationToken cancellationToken) =>
        await files.ReadResumptionAsync(cancellationToken) is { } known && known.Attempt >= request.Attempt;

    /// <summary>
    /// Stops a run that did not end, deletes its old container, and prepares a new one. When the new container is ready, the items of the
    /// old measurement are deleted, because an interrupted measurement cannot be continued. Until then, they are kept.
    /// </summary>
    /// <returns>Why the container cannot be prepared; null if it is ready.</returns>
    private async Task<string?> DiscardFormerAttemptAsync(
        ExperimentRunRequest request, RunFiles files, bool isNew, CancellationToken cancellationToken)
    {
        // A second call of the same attempt must not delete the items of the new measurement.
        if (isNew || await IsResumedAsync(request, files, cancellationToken))
            return null;
        var wasAsked = await files.IsStopRequestedAsync(cancellationToken);
        if (await files.ReadEndedAsync(cancellationToken) is null)
        {
            // The run's orchestration is gone, but its activities may still be running.
            await files.RequestStopAsync(cancellationToken);
            await Task.Delay(StopTime, time, cancellationToken);
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

/// <summary>
/// A view of the run store for preparing a run that is measured again. It hides the old container, so that a new one is prepared. The items
/// of the earlier measurement are deleted when the new container is ready, and not before.
/// </summary>
internal sealed class RemeasuredRunStore(IRunStore store) : IRunStore
{
    public async Task<bool> TryCreateAsync(
        string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        if (name == RunFiles.PreparedName)
            await new RunFiles(store, runId).DiscardAsync(cancellationToken, except: RunFiles.ContainerClaimName);
        return await store.TryCreateAsync(runId, name, content, cancellationToken);
    }

    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, name, content, cancellationToken);

    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken) =>
        name == RunFiles.PreparedName ? null : await store.ReadAsync(runId, name, cancellationToken);

    public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
        store.ListAsync(runId, prefix, cancellationToken);

    public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken) =>
        store.DeleteAsync(runId, isMeant, cancellationToken);
}
