namespace ScaleOut.Orchestration;

/// <summary>A run from its admission to its report, the deletion of its container and the mark of its end.</summary>
public static partial class RunOrchestrator
{
    /// <summary>
    /// Times that a run asks for its admission before it continues as new, so that its history stays small however long it waits.
    /// </summary>
    public const int AdmissionsPerTurn = 40;

    /// <summary>Runs a claimed spec to its end.</summary>
    /// <param name="spec">A valid spec with its id.</param>
    /// <returns>Null only when it continues as new.</returns>
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
            // So that there is a report, and an alert, of a run that could not begin.
            return new Preparation { Rejections = [LegOutput.Shorten(e.Message)!] };
        }
    }

    /// <summary>
    /// What is left when the workers have ended. Each step may be repeated, and the mark of the end comes last: whoever finds it missing
    /// does all of it again. A start that failed before its first document leaves what an earlier one kept: no report, no end.
    /// </summary>
    private static async Task<RunOutcome> ConcludeAsync(IOrchestrationContext context, RunEnding ending)
    {
        var outcome = await ReportAsync(context, ending);
        if (outcome.LeftAsItWas)
            return outcome;
        if (outcome.WorkersToRepeat is { Count: > 0 } toRepeat)
        {
            ending = await RepeatAsync(context, ending with { MayRepeat = false }, ending.Container!, toRepeat);
            outcome = await ReportAsync(context, ending);
        }

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
        var ending = new RunEnding
        {
            Spec = spec,
            StartedAt = startedAt,
            FinishedAt = Now(context),
            Container = container,
            Workers = workers,
            MayRepeat = workers.All(worker => worker.End == WorkerEnd.Done),
        };
        return await VerifyAsync(context, ending, container);
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

    /// <summary>
    /// Runs the legs again whose results turned out to be damaged. Those that are damaged after this are missing in the report, which says
    /// so.
    /// </summary>
    private static async Task<RunEnding> RepeatAsync(
        IOrchestrationContext context, RunEnding ending, PreparedContainer container, IReadOnlyList<int> workers)
    {
        LogRepeating(context.CreateReplaySafeLogger<OrchestrationStatus>(), workers.Count);
        Publish(context, new OrchestrationStatus(RunPhase.Running));
        var outcomes = await GroupOrchestrator.RepeatAsync(context, ending.Spec, container.Target, workers);
        var repeated = outcomes.ToDictionary(worker => worker.Worker);
        ending = ending with
        {
            FinishedAt = Now(context),
            Workers = [.. ending.Workers.Select(worker => repeated.GetValueOrDefault(worker.Worker, worker))],
        };
        return await VerifyAsync(context, ending, container);
    }

    private static async Task<RunEnding> VerifyAsync(IOrchestrationContext context, RunEnding ending, PreparedContainer container)
    {
        var verification = ending.Spec.Workload.Kind.LeavesCount()
            ? VerificationRule.Nothing
            : VerificationRule.From(ending.Spec, await CountAsync(context, container), ending.Workers);
        return ending with { Verification = verification };
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

    private static Task<RunOutcome> ReportAsync(IOrchestrationContext context, RunEnding ending)
    {
        Publish(context, new OrchestrationStatus(RunPhase.Reporting));
        return context.CallActivityAsync<RunOutcome>(FunctionNames.SaveReport, PayloadLimits.Fit(ending), ActivityOptions.WhileConcluding);
    }

    /// <summary>A container that cannot be deleted is a reason beside the outcome; it takes nothing back of what was measured.</summary>
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

    [LoggerMessage(
        Level = LogLevel.Warning,
        Message = "Legs of {Workers} workers have no result that can be used, and are run again before the report is made.")]
    private static partial void LogRepeating(ILogger logger, int workers);

    [LoggerMessage(Level = LogLevel.Error, Message = "The orchestration of the workers {First} to {Last} failed: {Reason}")]
    private static partial void LogGroupFailed(ILogger logger, int first, int last, string reason);
}
