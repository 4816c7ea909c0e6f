namespace ScaleOut.Orchestration;

/// <summary>Fans out to the workers of a group and waits for all of them. One that fails does not end the others.</summary>
public static partial class GroupOrchestrator
{
    /// <summary>
    /// Workers that one orchestration fans out to; above it a run splits them into groups, each an orchestration of its own.
    /// </summary>
    public const int Size = 50;

    /// <summary>Runs the group's workers; the outcomes are in their order.</summary>
    public static async Task<IReadOnlyList<WorkerOutcome>> RunAsync(IOrchestrationContext context, WorkerGroup group)
    {
        var root = ChildIds.Root(context.InstanceId);
        var workers = Enumerable.Range(group.First, group.Count).ToList();
        return PayloadLimits.Fit(
            await RunWorkersAsync(context, group.Spec, group.Container, workers, worker => ChildIds.Worker(root, worker)));
    }

    /// <summary>
    /// Runs workers once more, of whose legs some have lost their results: those legs are run, and the others give what they gave before.
    /// </summary>
    internal static async Task<IReadOnlyList<WorkerOutcome>> RepeatAsync(
        IOrchestrationContext context, RunSpec spec, ContainerTarget container, IReadOnlyList<int> workers)
    {
        var root = ChildIds.Root(context.InstanceId);
        return PayloadLimits.Fit(await RunWorkersAsync(context, spec, container, workers, worker => ChildIds.WorkerRepeated(root, worker)));
    }

    /// <summary>
    /// The outcome of a worker whose orchestration failed: what its legs left still counts in the report, so the run must come to one.
    /// </summary>
    internal static WorkerOutcome Failed(int worker, Slice slice, OrchestrationTaskException error) => new()
    {
        Worker = worker,
        End = WorkerEnd.Failed,
        Remaining = slice.Count,
        Reason = LegOutput.Shorten(error.Message),
    };

    private static async Task<IReadOnlyList<WorkerOutcome>> RunWorkersAsync(
        IOrchestrationContext context, RunSpec spec, ContainerTarget container, IReadOnlyList<int> workers, Func<int, string> instanceIdOf)
    {
        var slices = Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        var runInstanceId = ChildIds.Root(context.InstanceId);
        var running = workers
            .Select(worker => RunWorkerAsync(context, instanceIdOf(worker), new WorkerState
            {
                Assignment = Assign(spec, runInstanceId, worker, slices[worker], container),
                Next = slices[worker].First,
            }))
            .ToList();
        return await Task.WhenAll(running);
    }

    private static async Task<WorkerOutcome> RunWorkerAsync(IOrchestrationContext context, string instanceId, WorkerState worker)
    {
        var assignment = worker.Assignment;
        try
        {
            return await context.CallSubOrchestratorAsync<WorkerOutcome>(FunctionNames.WorkerOrchestrator, worker, instanceId);
        }
        catch (OrchestrationTaskException e)
        {
            LogWorkerFailed(context.CreateReplaySafeLogger<WorkerState>(), assignment.Worker, e.Message);
            return Failed(assignment.Worker, assignment.Slice, e);
        }
    }

    private static WorkerAssignment Assign(RunSpec spec, string runInstanceId, int worker, Slice slice, ContainerTarget container) => new()
    {
        RunId = spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(spec)),
        RunInstanceId = runInstanceId,
        Worker = worker,
        Workers = spec.Workers,
        Slice = slice,
        Documents = spec.Documents,
        Preloads = spec.Workload.Kind.NeedsDocuments() && spec.Container.Name is null,
        Workload = spec.Workload,
        Document = spec.Document,
        Client = spec.SettingsOf(worker),
        Container = container,
        LegDuration = spec.LegDuration,
        StartTimeout = spec.StartTimeoutInEffect(),
        Warmup = spec.Warmup,
    };

    [LoggerMessage(Level = LogLevel.Error, Message = "The orchestration of worker {Worker} failed: {Reason}")]
    private static partial void LogWorkerFailed(ILogger logger, int worker, string reason);
}
