using System.CommandLine;
using ScaleOut.Workers.Progress;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>The queue over which workers report their progress, in place of the channel between processes.</summary>
internal sealed class ProgressQueueOption
{
    /// <summary>Environment variable in place of <c>--queue</c>: command lines are visible to everybody.</summary>
    public const string Variable = "PROGRESS_QUEUE";

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(15);

    private readonly Option<string?> _queue = new("--queue")
    {
        Description =
            $"Progress goes over the queue {QueuedProgress.Name} of this storage account, as in Azure (or {Variable}, which no list of "
            + "processes shows).",
        HelpName = "connection string",
    };

    public void AddTo(Command command) => command.Options.Add(_queue);

    /// <summary>The storage account, whose queue has been made; null when none is asked for.</summary>
    /// <exception cref="InputException">It cannot be used. The message does not repeat the connection string.</exception>
    public async Task<StorageConnection?> OpenAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var (text, name) = input.Value(_queue) is { } given
            ? (given, _queue.Name)
            : (Environment.GetEnvironmentVariable(Variable), Variable);
        if (text is null || (text.Length == 0 && name == Variable))
            return null;

        var storage = new StorageConnection { ConnectionString = text };
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(Timeout);
        try
        {
            await StorageClients.Queue(storage, QueuedProgress.Name).CreateIfNotExistsAsync(cancellationToken: timeout.Token);
            return storage;
        }
        catch (FormatException e)
        {
            throw new InputException($"{name}: {e.Message}");
        }
        catch (Exception e) when (StorageErrors.IsStorageError(e) && !cancellationToken.IsCancellationRequested)
        {
            throw new InputException($"{name}: the queue {QueuedProgress.Name} cannot be used: {StorageErrors.Describe(e)}");
        }
    }
}
