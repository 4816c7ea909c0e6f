using ScaleOut.Progress;

namespace ScaleOut.DevBox.Processes;

/// <summary>A worker process's way to its parent.</summary>
internal sealed class WorkerOutput(Stream output) : IProgressSink, IDisposable
{
    private readonly SemaphoreSlim _one = new(1, 1);

    /// <inheritdoc/>
    public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => WriteAsync(new WorkerMessage { Progress = progress });

    /// <summary>Writes one line. Nobody is told when the parent is gone: the process is about to end then.</summary>
    public async ValueTask WriteAsync(WorkerMessage message)
    {
        var line = ProcessLines.Encoding.GetBytes(ProcessLines.Write(message) + '\n');
        await _one.WaitAsync();
        try
        {
            await output.WriteAsync(line);
            await output.FlushAsync();
        }
        catch (IOException)
        {
        }
        finally
        {
            _one.Release();
        }
    }

    public void Dispose() => _one.Dispose();
}
