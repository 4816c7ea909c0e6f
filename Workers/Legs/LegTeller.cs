using ScaleOut.Orchestration;
using ScaleOut.Progress;

namespace ScaleOut.Workers.Legs;

/// <summary>Reports what a worker does before the first operation of a leg, and what it tries again meanwhile.</summary>
internal sealed class LegTeller(LegInput leg, int attempt, IProgressSink progress, TimeProvider time)
{
    /// <summary>Room for the reports of one activity before those of the next: reports of operations count from 1.</summary>
    private const long ReportsOfActivity = 1_000_000;

    private long _reports;

    /// <summary>Reports an activity that comes before <see cref="WorkerActivity.Running"/>.</summary>
    /// <param name="activity">What the worker does.</param>
    /// <param name="warning">What it tries again, and why; null when nothing.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task TellAsync(WorkerActivity activity, string? warning, CancellationToken cancellationToken)
    {
        var sequence = (((int)activity - (int)WorkerActivity.Running) * ReportsOfActivity) + Interlocked.Increment(ref _reports);
        var report = WorkerProgress.Of(leg, attempt, sequence, activity, time.GetUtcNow());
        await progress.ReportAsync(warning is null ? report : report with { Warning = LegOutput.Shorten(warning) }, cancellationToken);
    }
}
