namespace ScaleOut.Tests.Support;

internal sealed class NoProgress : IProgressSink
{
    public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => ValueTask.CompletedTask;
}
