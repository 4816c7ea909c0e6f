namespace ScaleOut.Orchestration;

/// <summary>Fans out to the workers of a group and waits for all of them. A worker that fails does not end the others.</summary>
public static class GroupOrchestrator
{
    /// <summary>
    /// Maximum number of workers that one orchestration fans out to. A run with more workers splits them into groups, each with its own
    /// orchestration.
    /// </summary>
    public const int Size = 50;

    /// <summary>Runs the group's workers. The outcomes are in the order of the workers.</summary>
    public static async Task<IReadOnlyList<WorkerOutcome>> RunAsync(IOrchestrationContext context, WorkerGroup group)
    {
        var spec = group.Spec;
        var slices = Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        var root = ChildIds.Root(context.InstanceId);
        var isKept = OrchestrationVersions.IsAtLeast(context.Version, "1.2")
            && PayloadLimits.SizeOf(spec.Workload) + PayloadLimits.SizeOf(spec.Document) > PayloadLimits.LegSpecBytes;
        var running = Enumerable.Range(group.First, group.Count)
            .Select(worker => RunWorkerAsync(context, ChildIds.Worker(root, worker), new LegInput
            {
                Assignment = isKept
                    ? Assign(spec, root, worker, slices[worker], group.Container) with
                    {
                        Workload = new(),
                        Document = new(),
                        SpecIsKept = true,
                    }
                    : Assign(spec, root, worker, slices[worker], group.Container),
                Leg = 1,
                Next = slices[worker].First,
            }))
            .ToList();
        return PayloadLimits.Fit(await Task.WhenAll(running));
    }

    /// <summary>The outcome of a worker whose orchestration failed. The results of its legs still count in the report.</summary>
    internal static WorkerOutcome Failed(int worker, NumberRange slice, OrchestrationTaskException error) => new()
    {
        Worker = worker,
        End = WorkerState.Failed,
        Remaining = slice.Count,
        Reason = LegOutput.Shorten(error.Message),
    };

    private static async Task<WorkerOutcome> RunWorkerAsync(IOrchestrationContext context, string instanceId, LegInput worker)
    {
        var assignment = worker.Assignment;
        try
        {
            return await context.CallSubOrchestratorAsync<WorkerOutcome>(FunctionNames.WorkerOrchestrator, worker, instanceId);
        }
        catch (OrchestrationTaskException e)
        {
            context.CreateReplaySafeLogger<WorkerGroup>().WorkerFailed(assignment.Worker, e.Message);
            return Failed(assignment.Worker, assignment.Slice, e);
        }
    }

    private static WorkerAssignment Assign(
        RunSpec spec, string runInstanceId, int worker, NumberRange slice, ContainerTarget container) => new()
        {
            RunId = spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(spec)),
            RunInstanceId = runInstanceId,
            Worker = worker,
            Workers = spec.Workers,
            Slice = slice,
            Documents = spec.Documents,
            Preloads = spec.Workload.NeedsDocuments && spec.Container.Name is null,
            Workload = spec.WorkloadOf(worker),
            Document = spec.Document,
            Client = spec.SettingsOf(worker),
            Container = container,
            LegDuration = spec.LegDuration,
            StartTimeout = spec.StartTimeoutInEffect(),
            Warmup = spec.Warmup,
        };
}
