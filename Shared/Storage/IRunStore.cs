namespace ScaleOut.Storage;

/// <summary>
/// Stores named items per run: in a folder on the dev box, in a blob container in Azure. Names are slash-separated, such as
/// <c>ready/0003</c>. A reader sees an item whole or not at all.
/// </summary>
public interface IRunStore
{
    /// <summary>Writes an item unless it is there. Of several callers exactly one gets true.</summary>
    Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>Writes an item over whatever is there.</summary>
    Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>An item's content; null when there is none.</summary>
    Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken);

    /// <summary>Names of a run's items that start with a prefix, in ordinal order.</summary>
    Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken);

    /// <summary>
    /// Deletes the items that are there at the call. An item that is written again meanwhile stays, if the store can see that.
    /// </summary>
    /// <param name="isMeant">Whether the item of a name is to be deleted.</param>
    Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken);
}
