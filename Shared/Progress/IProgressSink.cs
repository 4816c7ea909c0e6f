namespace ScaleOut.Progress;

/// <summary>Where a worker's progress goes: to the parent process, or to a queue. A failure to report never disturbs the leg.</summary>
public interface IProgressSink
{
    ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken);
}
