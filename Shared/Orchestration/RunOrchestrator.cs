namespace ScaleOut.Orchestration;

/// <summary>A run from its admission to its report, the deletion of its container and the mark of its end.</summary>
public static partial class RunOrchestrator
{
    /// <summary>Times that a run asks for its admission before it continues as new, so that its history stays small.</summary>
    public const int AdmissionsPerTurn = 40;

    /// <summary>Runs a claimed spec to its end. Returns null only when it continues as new.</summary>
    public static async Task<RunOutcome?> RunAsync(IOrchestrationContext context, RunSpec spec)
    {
        var admission = await WaitForAdmissionAsync(context, spec);
        if (admission == AdmissionState.Waiting)
        {
            context.ContinueAsNew(spec);
            return null;
        }

        var startedAt = Now(context);
        var preparation = admission == AdmissionState.Stopped ? new Preparation { Stopped = true } : await PrepareAsync(context, spec);
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
        Publish(context, new OrchestrationStatus(RunPhase.Ended, outcome));
        return outcome;
    }

    private static async Task<AdmissionState> WaitForAdmissionAsync(IOrchestrationContext context, RunSpec spec)
    {
        for (var asked = 1; ; asked++)
        {
            var admission = await context.CallActivityAsync<Admission>(FunctionNames.AdmitRun, spec, ActivityOptions.WhilePreparing);
            if (admission.State != AdmissionState.Waiting || asked == AdmissionsPerTurn)
                return admission.State;
            Publish(context, new OrchestrationStatus(RunPhase.Queued, RunsAhead: admission.RunsAhead));
            await context.CreateTimer(OrchestrationWaits.ForAdmission(asked));
        }
    }

    private static async Task<Preparation> PrepareAsync(IOrchestrationContext context, RunSpec spec)
    {
        Publish(context, new OrchestrationStatus(RunPhase.Preparing));
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
    /// Reports, cleans up and marks the end. Each step may be repeated, and the mark comes last: whoever finds it missing does all of them
    /// again. A start that failed before its first document leaves what an earlier start kept, and a run that misses legs keeps its
    /// container.
    /// </summary>
    private static async Task<RunOutcome> ConcludeAsync(IOrchestrationContext context, RunEnding ending)
    {
        Publish(context, new OrchestrationStatus(RunPhase.Reporting));
        var outcome = await context.CallActivityAsync<RunOutcome>(
            FunctionNames.SaveReport, PayloadLimits.Fit(ending), ActivityOptions.WhileConcluding);
        if (outcome.LeftAsItWas || outcome.MissesLegs)
            return outcome;
        if (ending.Container is { Created: true } container && !ending.Spec.Container.Keep)
            outcome = await CleanUpAsync(context, container, outcome);
        await context.CallActivityAsync<bool>(
            FunctionNames.EndRun, new RunEnded(outcome, ending.FinishedAt), ActivityOptions.WhileConcluding);
        return outcome;
    }

    private static async Task<RunEnding> RunInAsync(
        IOrchestrationContext context, RunSpec spec, PreparedContainer container, DateTimeOffset startedAt)
    {
        Publish(context, new OrchestrationStatus(RunPhase.Running));
        var workers = await FanOutAsync(context, spec, container.Target);
        var finishedAt = Now(context);
        return new RunEnding
        {
            Spec = spec,
            StartedAt = startedAt,
            FinishedAt = finishedAt,
            Container = container,
            Workers = workers,
            Verification = spec.Workload.Kind.LeavesCount()
                ? VerificationRule.Nothing
                : VerificationRule.From(spec, await CountAsync(context, container), workers),
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
            LogGroupFailed(context.CreateReplaySafeLogger<OrchestrationStatus>(), group.First, group.First + group.Count - 1, e.Message);
            var slices = Slices.Cut(group.Spec.Documents, group.Spec.Workers, group.Spec.Workload.DocumentsPerOperation);
            return [.. Enumerable.Range(group.First, group.Count).Select(worker => GroupOrchestrator.Failed(worker, slices[worker], e))];
        }
    }

    private static async Task<Verification> CountAsync(IOrchestrationContext context, PreparedContainer container)
    {
        Publish(context, new OrchestrationStatus(RunPhase.Verifying));
        try
        {
            return await context.CallActivityAsync<Verification>(FunctionNames.VerifyContainer, container, ActivityOptions.WhileConcluding);
        }
        catch (OrchestrationTaskException e)
        {
            return new Verification(Verified: null, LegOutput.Shorten(e.Message));
        }
    }

    /// <summary>A container that cannot be deleted adds a reason to the outcome; the measurement holds.</summary>
    private static async Task<RunOutcome> CleanUpAsync(IOrchestrationContext context, PreparedContainer container, RunOutcome outcome)
    {
        Publish(context, new OrchestrationStatus(RunPhase.CleaningUp));
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

    private static void Publish(IOrchestrationContext context, OrchestrationStatus status) =>
        context.SetCustomStatus(PayloadLimits.Fit(status));

    private static DateTimeOffset Now(IOrchestrationContext context) =>
        new(DateTime.SpecifyKind(context.CurrentUtcDateTime, DateTimeKind.Utc));

    [LoggerMessage(Level = LogLevel.Error, Message = "The orchestration of the workers {First} to {Last} failed: {Reason}")]
    private static partial void LogGroupFailed(ILogger logger, int first, int last, string reason);
}
