using ScaleOut.Orchestrator.Experiments;

namespace ScaleOut.Orchestrator.Http;

/// <summary>
/// Executes experiments as orchestrations, with those of their runs as children. Each attempt at an experiment has an orchestration of its
/// own. The number of the attempt is in the run store.
/// </summary>
internal sealed class DurableExperimentHost(DurableTaskClient client, IRunStore store, AccountConnection account, TimeProvider time)
    : IExperimentHost
{
    public async Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        // If the claim fails, another request has started it.
        var attempt = new JobAttempt(1, time.GetUtcNow());
        if (await new ExperimentFiles(store, spec.Id!).TryClaimAttemptAsync(attempt, cancellationToken))
            await ScheduleAsync(spec, attempt, cancellationToken);
    }

    public async Task<ResumeResult> TryResumeAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        var unmeasured = await UnmeasuredRuns.FindAsync(
            store, spec, run => ExperimentActivities.WhyNotTestable(run.Spec, account) is null ? run : null, cancellationToken);
        if (unmeasured.Count == 0)
            return ResumeResult.Nothing;
        return await WhyNotResumedAsync(spec, unmeasured, cancellationToken) is { } reason
            ? ResumeResult.Rejected(reason)
            : ResumeResult.Resumed(unmeasured.Select(run => run.Spec));
    }

    private async Task<string?> WhyNotResumedAsync(
        ExperimentSpec spec, IReadOnlyList<PlannedRun> unmeasured, CancellationToken cancellationToken)
    {
        // The order matters: only a caller that has seen the end of the last attempt claims the next one, and only one claim succeeds.
        var last = await FindAsync(spec.Id!, cancellationToken);
        if (last.IsAlive || last.MayBegin)
            return $"The experiment '{spec.Id}' has just been resumed by another request.";
        foreach (var run in unmeasured)
        {
            if (await client.FindInstanceAsync(store, run.Spec.Id!, cancellationToken) is { IsAlive: true })
                return $"The run '{run.Spec.Id}' of the experiment '{spec.Id}' is still running.";
        }

        var files = new ExperimentFiles(store, spec.Id!);
        var number = last is { Attempt: 0, State: null } ? 1 : Math.Max(1, last.Attempt) + 1;
        var attempt = new JobAttempt(number, time.GetUtcNow());
        if (!await files.TryClaimAttemptAsync(attempt, cancellationToken))
            return $"The experiment '{spec.Id}' has just been resumed by another request.";
        await files.WithdrawStopAsync(cancellationToken);
        await files.WriteStatusAsync(ExperimentStatus.Resumption(spec, unmeasured.Count), cancellationToken);
        await ScheduleAsync(spec, attempt, cancellationToken);
        return null;
    }

    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        var found = await FindAsync(id, cancellationToken);
        if (found.State is null)
            return StopResult.Unknown;
        if (!found.IsAlive)
            return StopResult.Ended;
        await new ExperimentFiles(store, id).RequestStopAsync(cancellationToken);
        if (found.Status?.RunId is { } run)
            await new RunFiles(store, run).RequestStopAsync(cancellationToken);
        return StopResult.Stopping;
    }

    public async Task<HostedExperiment?> ReadStatusAsync(string id, ExperimentSpec? spec, CancellationToken cancellationToken)
    {
        var found = await FindAsync(id, cancellationToken);
        var files = new ExperimentFiles(store, id);
        if (found.State is not { } state)
            return found.MayBegin && await files.ReadStatusAsync(cancellationToken) is not { Reason: not null } ? new HostedExperiment(
                HostedState.Queued, Status: null, []) : null;
        var stopping = found.IsAlive && await files.IsStopRequestedAsync(cancellationToken);
        return EngineExperiments.From(state, found.Status, found.Failure, stopping);
    }

    private Task ScheduleAsync(ExperimentSpec spec, JobAttempt attempt, CancellationToken cancellationToken) =>
        client.ScheduleAttemptAsync(
            ExperimentFunctionNames.ExperimentOrchestrator, new ExperimentTurn(spec),
            EngineInstances.OptionsOf(ExperimentIds.InstanceId(spec.Id!, attempt.Number), "experiment", spec.Id!),
            () => new ExperimentFiles(store, spec.Id!).WithdrawAttemptAsync(attempt, CancellationToken.None), cancellationToken);

    private async Task<LastAttempt> FindAsync(string id, CancellationToken cancellationToken)
    {
        var claimed = await new ExperimentFiles(store, id).ReadAttemptAsync(cancellationToken);
        var number = claimed?.Number ?? 0;
        var instance = await client.GetInstanceAsync(
            ExperimentIds.InstanceId(id, Math.Max(1, number)), getInputsAndOutputs: true, cancellationToken);
        return instance is null
            ? new LastAttempt(number, State: null, Status: null, Failure: null, MayBegin: claimed?.MayBegin(time.GetUtcNow()) ?? false)
            : new LastAttempt(
                number,
                instance.State(),
                instance.SerializedCustomStatus is null ? null : instance.ReadCustomStatusAs<ExperimentStatus>(),
                instance.FailureDetails?.ErrorMessage,
                MayBegin: false);
    }

    /// <param name="Attempt">0 if no attempt was claimed, because it is about to start or an earlier version of the app started it.</param>
    /// <param name="State">State of the orchestration; null if the engine does not know it.</param>
    /// <param name="Status">Status that the orchestration published last.</param>
    /// <param name="MayBegin">Whether the attempt has no orchestration yet, but may get one.</param>
    private sealed record LastAttempt(int Attempt, EngineState? State, ExperimentStatus? Status, string? Failure, bool MayBegin)
    {
        public bool IsAlive => State is EngineState.Pending or EngineState.Running;
    }
}
