using ScaleOut.Orchestration;

namespace ScaleOut.Progress;

/// <summary>
/// What is known of up to <see cref="WorkersPerFold"/> workers of a run: of each its newest message, by leg, attempt and sequence. Every message carries what its
/// worker's earlier legs came to, so neither the order of messages nor repeated or lost ones change what the newest says.
/// </summary>
public sealed record RunProgress
{
    /// <summary>Workers that one fold holds: so many that it stays under 64 KB as JSON.</summary>
    public const int WorkersPerFold = RunOrchestration.GroupSize;

    /// <summary>The newest message of each worker that was heard of, by the worker's index.</summary>
    public IReadOnlyDictionary<int, WorkerProgress> Workers { get; init; } = new Dictionary<int, WorkerProgress>();

    /// <summary>Which of a run's folds holds a worker, from 0.</summary>
    public static int FoldOf(int worker) => worker / WorkersPerFold;

    /// <summary>How many folds hold all workers of a run.</summary>
    public static int FoldsOf(int workers) => (workers + WorkersPerFold - 1) / WorkersPerFold;

    /// <summary>The fold with a message taken; the same fold when it knows a newer one of that worker.</summary>
    public RunProgress Fold(WorkerProgress message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return Workers.TryGetValue(message.Worker, out var known) && message.Order.CompareTo(known.Order) <= 0
            ? this
            : new() { Workers = new Dictionary<int, WorkerProgress>(Workers) { [message.Worker] = message } };
    }
}
