using ScaleOut.Orchestration;
using ScaleOut.Workers.Documents;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Legs;

/// <summary>A client with its connections open, as a worker uses it over all its legs.</summary>
internal interface IWarmClient : IDisposable
{
    /// <summary>Times of TCP connects to the account, ms.</summary>
    IReadOnlyList<double> RoundTripMs { get; }

    /// <summary>RU of the warm-up, once: the leg that asks first takes them.</summary>
    double TakeWarmupRequestUnits();

    /// <summary>The physical partitions as they are now.</summary>
    Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken);

    /// <summary>An operation of the workload, for one operation loop.</summary>
    IWorkloadOperation CreateOperation(WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions);
}
