namespace ScaleOut.DevBox.Processes;

/// <summary>
/// What a worker process reports to its parent. At most one of the fields is set. A message without any shows that the process lives.
/// </summary>
internal sealed record WorkerMessage
{
    /// <summary>How often a process that runs a leg sends a message at least.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    public WorkerProgress? Progress { get; init; }

    public LegOutput? Leg { get; init; }

    /// <summary>Why the leg ended without a result, if it may be run again.</summary>
    public string? Lost { get; init; }

    /// <summary>Why the leg ended without a result, if it would fail again each time.</summary>
    public LegFailure? Failure { get; init; }
}

/// <summary>Why a leg cannot be run.</summary>
/// <param name="ErrorType">Full name of the exception's type.</param>
internal sealed record LegFailure(string ErrorType, string Message);

/// <summary>First line that a worker process reads; it comes over its standard input because it holds the key.</summary>
internal sealed record WorkerHandshake
{
    public required AccountConnection Account { get; init; }

    public required string RunsFolder { get; init; }

    /// <summary>Collector that gets the metrics of the legs; null for none.</summary>
    public Uri? Otlp { get; init; }

    /// <summary>The endpoint alone: a record's own text would show the key.</summary>
    public override string ToString() => Account.ToString();
}

/// <summary>Sends messages of a worker process to its parent.</summary>
internal sealed class WorkerOutput(Stream output) : IProgressSink, IDisposable
{
    private readonly SemaphoreSlim _one = new(1, 1);

    public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) =>
        WriteAsync(new WorkerMessage { Progress = progress });

    /// <summary>Writes one line, unless the parent is gone.</summary>
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
            // The parent is gone, and the process is about to end.
        }
        finally
        {
            _one.Release();
        }
    }

    public void Dispose() => _one.Dispose();
}
