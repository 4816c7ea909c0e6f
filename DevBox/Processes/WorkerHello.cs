using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Processes;

/// <summary>First line that a worker process reads; it comes over its standard input because it holds the key.</summary>
internal sealed record WorkerHello
{
    public required AccountConnection Account { get; init; }

    /// <summary>Folder that holds the runs' folders.</summary>
    public required string RunsFolder { get; init; }

    /// <summary>Takes the worker's progress; null means that the worker tells its parent.</summary>
    public StorageConnection? ProgressQueue { get; init; }

    /// <summary>The endpoint alone: a record's own text would show the key.</summary>
    public override string ToString() => Account.ToString();
}
