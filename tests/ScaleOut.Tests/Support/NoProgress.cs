namespace ScaleOut.Tests.Support;

/// <summary>Takes the progress that workers report and drops it.</summary>
internal sealed class NoProgress : IProgressSink
{
    public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => ValueTask.CompletedTask;
}
