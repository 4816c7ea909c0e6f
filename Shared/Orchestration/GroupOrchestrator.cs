using Microsoft.Extensions.Logging;
using ScaleOut.Slicing;
using ScaleOut.Specs;

namespace ScaleOut.Orchestration;

/// <summary>Fans out to the workers of a group and waits for all of them. One that fails does not end the others.</summary>
public static partial class GroupOrchestrator
{
    /// <summary>Runs the group's workers; the outcomes are in their order.</summary>
    public static async Task<IReadOnlyList<WorkerOutcome>> RunAsync(IOrchestrationContext context, WorkerGroup group)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(group);

        var slices = Slices.Cut(group.Spec.Documents, group.Spec.Workers, group.Spec.Workload.DocumentsPerOperation);
        var runInstanceId = ChildIds.Root(context.InstanceId);
        var workers = Enumerable.Range(group.First, group.Count)
            .Select(worker => RunWorkerAsync(context, new WorkerState
            {
                Assignment = Assign(group.Spec, runInstanceId, worker, slices[worker], group.Container),
                Next = slices[worker].First,
            }))
            .ToList();
        return PayloadLimits.Fit(await Task.WhenAll(workers));
    }

    /// <summary>The outcome of a worker whose orchestration failed: what its legs left still counts in the report, so the run must come to one.</summary>
    internal static WorkerOutcome Failed(int worker, Slice slice, OrchestrationTaskException error) => new()
    {
        Worker = worker,
        End = WorkerEnd.Failed,
        Documents = new(),
        Remaining = slice.Count,
        Reason = LegOutput.Shorten(error.Message),
    };

    private static async Task<WorkerOutcome> RunWorkerAsync(IOrchestrationContext context, WorkerState worker)
    {
        var assignment = worker.Assignment;
        try
        {
            var instanceId = ChildIds.Worker(ChildIds.Root(context.InstanceId), assignment.Worker);
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
        PutsPopulation = spec.Workload.Kind.NeedsDocuments() && spec.Container.Name is null,
        Workload = spec.Workload,
        Document = spec.Document,
        Client = spec.SettingsOf(worker),
        Container = container,
        LegDuration = spec.LegDuration,
        StartTimeout = spec.StartTimeoutInEffect(),
    };

    [LoggerMessage(Level = LogLevel.Error, Message = "The orchestration of worker {Worker} failed: {Reason}")]
    private static partial void LogWorkerFailed(ILogger logger, int worker, string reason);
}
