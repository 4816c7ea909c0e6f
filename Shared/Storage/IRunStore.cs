namespace ScaleOut.Storage;

/// <summary>
/// What runs leave behind, as named items per run: a folder on the dev box, a blob container in Azure. Names are slash-separated, such as
/// <c>ready/0003</c>. A reader sees an item whole or not at all.
/// </summary>
public interface IRunStore
{
    /// <summary>Writes an item unless it is there already; of several callers exactly one gets true.</summary>
    Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>Writes an item over whatever is there.</summary>
    Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>An item's content, or null when there is none.</summary>
    Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken);

    /// <summary>Names of a run's items that start with a prefix, in ordinal order.</summary>
    Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken);

    /// <summary>
    /// Deletes those items that are there at the call; one that is gone already is fine, and one that is written again meanwhile stays
    /// where the store can see that.
    /// </summary>
    /// <param name="isMeant">Whether an item of this name is to go.</param>
    Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken);
}
