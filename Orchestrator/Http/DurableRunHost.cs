namespace ScaleOut.Orchestrator.Http;

/// <summary>
/// Executes runs as orchestrations. The first attempt at a run has the run's id as its instance id; each further one has an id of its own.
/// </summary>
internal sealed class DurableRunHost(DurableTaskClient client, IRunStore store, TimeProvider time) : IRunHost
{
    public async Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        // If the claim fails, another request has resumed the run already.
        var (files, attempt) = (new RunFiles(store, spec.Id!), new JobAttempt(1, time.GetUtcNow()));
        if (await files.TryClaimAttemptAsync(attempt, cancellationToken))
            await ScheduleAsync(spec, spec.Id!, files, attempt, cancellationToken);
    }

    public async Task<ResumeResult> TryResumeAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        // The order matters: only a caller that has seen the end of the last attempt claims the next one, and only one claim succeeds.
        var (id, files) = (spec.Id!, new RunFiles(store, spec.Id!));
        var last = await files.ReadAttemptAsync(cancellationToken);
        var resumption = await files.ReadResumptionAsync(cancellationToken);
        var instance = await client.FindInstanceAsync(store, id, cancellationToken);
        if (instance is { IsAlive: true, Status.Phase: RunPhase.CleaningUp })
            return ResumeResult.Rejected($"The run '{id}' is deleting its container. Resume it when that has ended.");
        if (instance is { IsAlive: true } || await MayBeginAsync(files, last, instance, cancellationToken))
            return ResumeResult.Rejected(JustResumed(id));
        if (await WhyNotResumableAsync(files, cancellationToken) is { } reason)
            return ResumeResult.Rejected(reason);

        // A resumption of the first attempt without an orchestration could not be scheduled.
        var isFirst = last is null && instance is null && (resumption is null || resumption.InstanceId == id);
        var attempt = new JobAttempt(isFirst ? 1 : (last?.Number ?? 1) + 1, time.GetUtcNow());
        if (!await files.TryClaimAttemptAsync(attempt, cancellationToken))
            return ResumeResult.Rejected(JustResumed(id));
        var instanceId = ChildIds.Attempt(id, attempt.Number);
        var wasAsked = await files.IsStopRequestedAsync(cancellationToken);
        await files.WriteResumptionAsync(
            new RunResumption(resumption?.Attempt ?? 1, instanceId, attempt.At, wasAsked), cancellationToken);
        await files.WithdrawStopAsync(cancellationToken);
        await ScheduleAsync(spec, instanceId, files, attempt, cancellationToken);
        return ResumeResult.Resumed([spec]);
    }

    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        if (await client.FindInstanceAsync(store, id, cancellationToken) is not { } instance)
            return StopResult.Unknown;
        var files = new RunFiles(store, id);
        // Terminating a run's orchestration by hand does not end those of its workers. Their legs still read the request to stop.
        if (!instance.IsAlive && await files.ReadEndedAsync(cancellationToken) is not null)
            return StopResult.Ended;
        await files.RequestStopAsync(cancellationToken);
        return StopResult.Stopping;
    }

    public async Task<RunStatus?> ReadStatusAsync(string id, RunSpec? spec, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, id);
        spec ??= await files.ReadClaimedAsync(cancellationToken);
        if (spec is null)
            return null;
        var last = await files.ReadAttemptAsync(cancellationToken);
        var instance = await client.FindInstanceAsync(store, id, cancellationToken);
        if (instance is not { IsAlive: true } && await MayBeginAsync(files, last, instance, cancellationToken))
            return new RunStatus { State = HostedState.Queued, Asked = spec.Documents };
        if (instance is null)
            return null;
        if (!instance.IsAlive)
            return EngineRuns.From(spec, instance, stopRequested: false, [], time.GetUtcNow());
        var progress = new ProgressFiles(store, id);
        var messages = await progress.ReadAllAsync(instance.Id, cancellationToken);
        var status = EngineRuns.From(spec, instance, await files.IsStopRequestedAsync(cancellationToken), messages, time.GetUtcNow());
        return status is { ElapsedSeconds: { } seconds }
            ? status with
            {
                ElapsedSeconds = await progress.LongestShownAsync(
                    instance.Id, seconds, isOver: instance.Status?.ElapsedSeconds is not null, cancellationToken),
            }
            : status;
    }

    private async Task ScheduleAsync(
        RunSpec spec, string instanceId, RunFiles files, JobAttempt attempt, CancellationToken cancellationToken)
    {
        using var operation = RunOperation.Begin(files.RunId, instanceId);
        await client.ScheduleAttemptAsync(
            FunctionNames.RunOrchestrator, spec, EngineInstances.OptionsOf(instanceId, "run", files.RunId),
            () => files.WithdrawAttemptAsync(attempt, CancellationToken.None), cancellationToken);
    }

    /// <summary>Whether the last attempt has no orchestration yet, but may get one.</summary>
    private async Task<bool> MayBeginAsync(
        RunFiles files, JobAttempt? last, EngineInstance? instance, CancellationToken cancellationToken) =>
        last is not null && last.MayBegin(time.GetUtcNow()) && instance?.Id != ChildIds.Attempt(files.RunId, last.Number)
        && !(await files.FindEndedAsync(cancellationToken) is { } ended && ended.At >= last.At);

    /// <summary>Why a run cannot be resumed, or not yet; null if it can.</summary>
    private async Task<string?> WhyNotResumableAsync(RunFiles files, CancellationToken cancellationToken)
    {
        if (await RemainingWorkReader.ReadAsync(files, cancellationToken) == RemainingWork.None)
            return $"The run '{files.RunId}' has ended; there is nothing to resume.";
        if (!await files.HasAsync(RunFiles.PreparedName, cancellationToken) && await files.HasLegsAsync(cancellationToken))
            return $"Legs of the run '{files.RunId}' have begun, and {RunFiles.PreparedName} is missing. Start it again under another id.";

        // Terminating the run's orchestration by hand does not end those of its workers.
        var atWork = new OrchestrationQuery
        {
            InstanceIdPrefix = ChildIds.Prefix(files.RunId),
            Statuses = [OrchestrationRuntimeStatus.Pending, OrchestrationRuntimeStatus.Running, OrchestrationRuntimeStatus.Suspended],
        };
        return await client.GetAllInstancesAsync(atWork).AnyAsync(cancellationToken)
            ? $"Workers of the run '{files.RunId}' are still at work. Stop it, and resume it when they have ended."
            : null;
    }

    private static string JustResumed(string id) => $"The run '{id}' has just been resumed by another request.";
}
