using ScaleOut.Progress;

namespace ScaleOut.Tests.Support;

/// <summary>Takes what workers tell and drops it.</summary>
internal sealed class NoProgress : IProgressSink
{
    public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => ValueTask.CompletedTask;
}
