namespace ScaleOut.Workers.Progress;

/// <summary>
/// Passes a leg's progress on. An exception of the receiver does not fail the leg. The next report contains it as a warning.
/// </summary>
internal sealed class UndisturbedProgress(IProgressSink sink) : IProgressSink
{
    private string? _error;

    public async ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken)
    {
        try
        {
            var error = Interlocked.Exchange(ref _error, null);
            await sink.ReportAsync(
                error is null || progress.Warning is not null
                    ? progress
                    : progress with { Warning = LegOutput.Shorten($"progress could not be reported: {error}") },
                cancellationToken);
        }
        catch (Exception e)
        {
            _error = e.Message;
        }
    }
}
