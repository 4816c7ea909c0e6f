namespace ScaleOut.Workers.Legs;

/// <summary>
/// Writes the shares of the preload that workers have not written by the end of <c>startTimeout</c>, so that the others can start without
/// these workers. The workers that are ready divide the shares among themselves.
/// </summary>
/// <param name="own">What this worker has written of the preload before.</param>
internal sealed class MissingPreloads(
    WorkerAssignment assignment, RunFiles files, Preload preload, PartitionRanges partitions, LegReporter reporter, PreloadShare own)
{
    /// <summary>Time after which another worker takes the shares of one that is ready, because that worker may be lost.</summary>
    private static readonly TimeSpan TurnTime = TimeSpan.FromMinutes(5);

    /// <summary>What this worker has written of the preload.</summary>
    public PreloadShare Written { get; private set; } = own;

    /// <summary>Whether a worker addresses documents that other workers preload.</summary>
    public static bool AreNeeded(WorkerAssignment assignment) => assignment.Documents > 0
        && (assignment.Workload is { Mix: null, DeletesEach: false } or { Mix: not null, Choose: DocumentOrder.Zipf });

    /// <summary>Writes those of the missing shares that fall to this worker.</summary>
    /// <param name="ready">The workers that are ready, in ascending order.</param>
    /// <param name="late">Time since the end of <c>startTimeout</c>.</param>
    /// <returns>Whether no share is missing any more, and why this worker cannot write one; null if it can.</returns>
    public async Task<(bool AreWritten, string? Error)> WriteAsync(
        IReadOnlyList<int> ready, TimeSpan late, CancellationToken cancellationToken)
    {
        EnsureReady(ready);
        var rank = (ready.Count(worker => worker < assignment.Worker) + (int)(late / TurnTime)) % ready.Count;
        while (true)
        {
            var missing = Enumerable.Range(0, assignment.Workers).Except(await files.ListPreloadedAsync(cancellationToken)).ToList();
            if (missing.Count == 0)
                return (true, null);
            var worker = missing.FirstOrDefault(other => other % ready.Count == rank, -1);
            if (worker < 0)
                return (false, null);

            await ReportAsync($"worker {worker} has not written its documents within startTimeout; this worker writes them");
            var (written, end, reason) = await preload.WriteForAsync(worker, partitions, cancellationToken);
            EnsureReady(await files.ListReadyAsync(cancellationToken));
            Written = Written.Plus(written);
            await files.WritePreloadAsync(assignment.Worker, Written, cancellationToken);
            switch (end)
            {
                case LegEnd.AccountSilent:
                    return (false, reason);
                case LegEnd.Stopped when !(await files.ListPreloadedAsync(cancellationToken)).Contains(worker):
                    return (false, null);
                case LegEnd.Stopped:
                    break;
                default:
                    // Documents that cannot be written must not keep the others from starting.
                    await files.MarkPreloadedAsync(worker, cancellationToken);
                    await ReportAsync(reason is null ? null : $"the documents of worker {worker}: {reason}");
                    break;
            }
        }

        Task ReportAsync(string? warning) => reporter.ReportAsync(WorkerState.Waiting, warning, cancellationToken);
    }

    /// <exception cref="LegLostException">The worker's mark is gone, because the run has been started again.</exception>
    private void EnsureReady(IReadOnlyList<int> ready)
    {
        if (!ready.Contains(assignment.Worker))
            throw new LegLostException("the run has been started again meanwhile");
    }
}
