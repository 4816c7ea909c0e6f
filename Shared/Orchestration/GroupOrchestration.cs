using ScaleOut.Slicing;
using ScaleOut.Specs;

namespace ScaleOut.Orchestration;

/// <summary>Fans out to the workers of a group and waits for all of them. One that fails does not end the others.</summary>
public static class GroupOrchestration
{
    /// <summary>Runs the group's workers; the outcomes are in their order.</summary>
    public static async Task<IReadOnlyList<WorkerOutcome>> RunAsync(IRunPort port, WorkerGroup group)
    {
        ArgumentNullException.ThrowIfNull(port);
        ArgumentNullException.ThrowIfNull(group);

        var slices = Slices.Cut(group.Spec.Documents, group.Spec.Workers, group.Spec.Workload.DocumentsPerOperation);
        var workers = Enumerable.Range(group.First, group.Count)
            .Select(worker => RunWorkerAsync(port, new WorkerState
            {
                Assignment = Assign(group.Spec, port.RunInstanceId, worker, slices[worker], group.Container),
                Next = slices[worker].First,
            }))
            .ToList();
        return await Task.WhenAll(workers);
    }

    /// <summary>The outcome of a worker whose engine broke: what its legs left still counts in the report, so the run must come to one.</summary>
    internal static WorkerOutcome Broken(int worker, Slice slice, Exception fault) => new()
    {
        Worker = worker,
        End = WorkerEnd.Failed,
        Documents = new(),
        Remaining = slice.Count,
        Reason = LegOutput.Shorten(fault.Message),
    };

    private static async Task<WorkerOutcome> RunWorkerAsync(IRunPort port, WorkerState worker)
    {
        try
        {
            return await port.RunWorkerAsync(worker);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            return Broken(worker.Assignment.Worker, worker.Assignment.Slice, e);
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
}
