namespace ScaleOut.Orchestration;

/// <summary>Executes a run from its admission to its report, the deletion of its container and the record of its end.</summary>
public static class RunOrchestrator
{
    /// <summary>Number of requests for admission before the run continues as new, so that its history stays small.</summary>
    public const int AdmissionsPerTurn = 40;

    /// <summary>Runs a claimed spec to its end. Returns null only when it continues as new.</summary>
    public static async Task<RunOutcome?> RunAsync(IOrchestrationContext context, RunSpec spec)
    {
        var admission = await WaitForAdmissionAsync(context, spec);
        if (admission.State == AdmissionState.Waiting)
        {
            context.ContinueAsNew(spec);
            return null;
        }

        var startedAt = Now(context);
        var preparation = admission switch
        {
            { State: AdmissionState.Stopped } => new Preparation { Stopped = true },
            { Failure: { } failure } => new Preparation { Rejections = [failure] },
            _ => await PrepareAsync(context, spec, startedAt),
        };
        var ending = preparation.Ending
            ?? (preparation.Container is { } container
                ? await RunInAsync(context, spec, container, startedAt)
                : new RunEnding
                {
                    Spec = spec,
                    StartedAt = startedAt,
                    FinishedAt = Now(context),
                    StoppedInPreparation = preparation.Stopped,
                    Rejections = preparation.Rejections,
                });
        var outcome = await ConcludeAsync(context, ending);
        Publish(context, RunStatus.From(outcome, spec.Documents) with { Phase = RunPhase.Ended });
        return outcome;
    }

    /// <summary>
    /// Asks until the run may begin, is stopped, or has asked so often that it continues as new. Errors of the run store and missing rights
    /// are retried too, so that a run that has waited for hours is not lost to an outage of minutes.
    /// </summary>
    private static async Task<Admission> WaitForAdmissionAsync(IOrchestrationContext context, RunSpec spec)
    {
        DateTime? failingSince = null;
        for (var asked = 1; ; asked++)
        {
            var admission = await AskForAdmissionAsync(context, spec);
            var mayAskAgain = admission.State is AdmissionState.Waiting or AdmissionState.Forbidden;
            if (!mayAskAgain || (admission.Failure is null && asked >= AdmissionsPerTurn))
                return admission;

            failingSince = admission.Failure is null ? null : failingSince ?? context.CurrentUtcDateTime;
            var limit = admission.State == AdmissionState.Forbidden ? OrchestrationWaits.MaxForRoles : OrchestrationWaits.MaxForAdmission;
            if (context.CurrentUtcDateTime - failingSince >= limit)
                return admission with { State = AdmissionState.Failed };
            Publish(context, admission.State == AdmissionState.Forbidden
                ? RunStatus.In(RunPhase.WaitingForRoles, spec)
                : RunStatus.In(RunPhase.Queued, spec) with { RunsAhead = admission.RunsAhead });
            await context.CreateTimer(OrchestrationWaits.After(asked));
        }
    }

    private static async Task<Admission> AskForAdmissionAsync(IOrchestrationContext context, RunSpec spec)
    {
        try
        {
            return await context.CallActivityAsync<Admission>(FunctionNames.AdmitRun, spec, ActivityOptions.WhilePreparing);
        }
        catch (OrchestrationTaskException e)
        {
            var isDeterministic = OrchestrationTaskException.IsDeterministic(e.ErrorType);
            return new Admission(isDeterministic ? AdmissionState.Failed : AdmissionState.Waiting, Failure: LegOutput.Shorten(e.Message));
        }
    }

    /// <summary>Prepares the container, and waits for roles that have not taken effect yet.</summary>
    private static async Task<Preparation> PrepareAsync(IOrchestrationContext context, RunSpec spec, DateTimeOffset startedAt)
    {
        var status = RunStatus.In(RunPhase.Preparing, spec, startedAt);
        Publish(context, status);
        var begunAt = context.CurrentUtcDateTime;
        for (var tried = 1; ; tried++)
        {
            var preparation = await TryPrepareAsync(context, spec);
            if (preparation.MissingRole is not { } missing)
                return preparation;
            if (context.CurrentUtcDateTime - begunAt >= OrchestrationWaits.MaxForRoles)
                return new Preparation { Rejections = [missing] };
            Publish(context, status with { Phase = RunPhase.WaitingForRoles });
            await context.CreateTimer(OrchestrationWaits.After(tried));
        }
    }

    private static async Task<Preparation> TryPrepareAsync(IOrchestrationContext context, RunSpec spec)
    {
        try
        {
            return await context.CallActivityAsync<Preparation>(FunctionNames.PrepareContainer, spec, ActivityOptions.WhilePreparing);
        }
        catch (OrchestrationTaskException e)
        {
            // A run that could not begin gets a report and an alert too.
            return new Preparation { Rejections = [LegOutput.Shorten(e.Message)!] };
        }
    }

    /// <summary>
    /// Saves the report, deletes the container and records the end. Each step can be repeated. The record comes last, so if it is missing,
    /// all steps are repeated. A start that failed before its first document changes nothing that an earlier start stored. A run with
    /// missing legs keeps its container.
    /// </summary>
    private static async Task<RunOutcome> ConcludeAsync(IOrchestrationContext context, RunEnding ending)
    {
        var status = RunStatus.In(RunPhase.Reporting, ending.Spec, ending.StartedAt, ending.FinishedAt);
        Publish(context, status);
        var kept = new KeptEnding(ending.Spec.Id!, ending.FinishedAt);
        var outcome = await context.CallActivityAsync<RunOutcome>(
            FunctionNames.SaveReport,
            PayloadLimits.Fit(ending),
            ActivityOptions.WhileConcluding with { Retry = new ActivityRetry(FunctionNames.SaveKeptReport, kept) });
        if (outcome.NothingChanged || outcome.MissesLegs)
            return outcome;
        if (ending.Container is { Created: true } container && !ending.Spec.Container.Keep)
            outcome = await CleanUpAsync(context, container, outcome, status);
        await context.CallActivityAsync<bool>(
            FunctionNames.EndRun, new RunEnded(outcome, ending.FinishedAt), ActivityOptions.WhileConcluding);
        return outcome;
    }

    private static async Task<RunEnding> RunInAsync(
        IOrchestrationContext context, RunSpec spec, PreparedContainer container, DateTimeOffset startedAt)
    {
        Publish(context, RunStatus.In(RunPhase.Running, spec, startedAt));
        var throughput = new ThroughputStepper(context, spec, container);
        _ = throughput.RunAsync();
        var workers = await FanOutAsync(context, spec, container.Target);
        await throughput.EndAsync();
        var finishedAt = Now(context);
        return new RunEnding
        {
            Spec = spec,
            StartedAt = startedAt,
            FinishedAt = finishedAt,
            Container = container,
            Workers = workers,
            ThroughputChanges = throughput.Applied.Count > 0 ? throughput.Applied : null,
            ThroughputFailures = throughput.Failures.Count > 0 ? throughput.Failures : null,
            Verification = spec.Workload.LeavesCount
                ? VerificationRule.Nothing
                : VerificationRule.From(
                    spec, await CountAsync(context, container, RunStatus.In(RunPhase.Verifying, spec, startedAt, finishedAt)), workers),
        };
    }

    private static async Task<IReadOnlyList<WorkerOutcome>> FanOutAsync(
        IOrchestrationContext context, RunSpec spec, ContainerTarget container)
    {
        var all = new WorkerGroup { Spec = spec, Container = container, First = 0, Count = spec.Workers };
        if (spec.Workers <= GroupOrchestrator.Size)
            return await GroupOrchestrator.RunAsync(context, all);

        var groups = new List<Task<IReadOnlyList<WorkerOutcome>>>();
        for (var first = 0; first < spec.Workers; first += GroupOrchestrator.Size)
            groups.Add(RunGroupAsync(context, all with { First = first, Count = Math.Min(GroupOrchestrator.Size, spec.Workers - first) }));
        return [.. (await Task.WhenAll(groups)).SelectMany(outcomes => outcomes)];
    }

    private static async Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(IOrchestrationContext context, WorkerGroup group)
    {
        try
        {
            return await context.CallSubOrchestratorAsync<IReadOnlyList<WorkerOutcome>>(
                FunctionNames.GroupOrchestrator, group, ChildIds.Group(context.InstanceId, group.First));
        }
        catch (OrchestrationTaskException e)
        {
            context.CreateReplaySafeLogger<RunOutcome>().GroupFailed(group.First, group.First + group.Count - 1, e.Message);
            var slices = Slices.Cut(group.Spec.Documents, group.Spec.Workers, group.Spec.Workload.DocumentsPerOperation);
            return [.. Enumerable.Range(group.First, group.Count).Select(worker => GroupOrchestrator.Failed(worker, slices[worker], e))];
        }
    }

    private static async Task<Verification> CountAsync(IOrchestrationContext context, PreparedContainer container, RunStatus status)
    {
        Publish(context, status);
        try
        {
            return await context.CallActivityAsync<Verification>(FunctionNames.VerifyContainer, container, ActivityOptions.WhileConcluding);
        }
        catch (OrchestrationTaskException e)
        {
            return new Verification(Verified: null, LegOutput.Shorten(e.Message));
        }
    }

    /// <summary>If the container cannot be deleted, adds a reason to the outcome. The measurement stays valid.</summary>
    private static async Task<RunOutcome> CleanUpAsync(
        IOrchestrationContext context, PreparedContainer container, RunOutcome outcome, RunStatus status)
    {
        // The account of a run that failed may be gone, so that its clean-up takes long. Its state and report are known by now.
        var shown = outcome.State == RunState.Failed ? RunStatus.From(outcome, status.Asked) : status;
        Publish(context, shown with { Phase = RunPhase.CleaningUp });
        try
        {
            await context.CallActivityAsync<bool>(FunctionNames.CleanUp, container, ActivityOptions.WhileConcluding);
            return outcome;
        }
        catch (OrchestrationTaskException e)
        {
            return outcome with
            {
                Reasons = [.. outcome.Reasons, $"The {container.Target.Text} could not be deleted: {LegOutput.Shorten(e.Message)}"],
            };
        }
    }

    private static void Publish(IOrchestrationContext context, RunStatus status) => context.SetCustomStatus(PayloadLimits.Fit(status));

    private static DateTimeOffset Now(IOrchestrationContext context) =>
        new(DateTime.SpecifyKind(context.CurrentUtcDateTime, DateTimeKind.Utc));
}
