namespace ScaleOut.Storage;

/// <summary>
/// Stores named items per run: in a folder on the dev box, in a blob container in Azure. Names are slash-separated, such as
/// <c>ready/0003</c>. Writes are atomic: a reader never sees a part of an item.
/// </summary>
public interface IRunStore
{
    /// <summary>Writes an item unless it exists. If several callers write it at once, exactly one gets true.</summary>
    Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>Writes an item, and replaces an existing one.</summary>
    Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);

    /// <summary>
    /// Replaces an item by what is made of its content. A store that several machines write to notices a write in between, and makes the
    /// new content again.
    /// </summary>
    /// <param name="change">Makes the new content of the present one, which is null for no item; null leaves the item as it is.</param>
    /// <returns>Whether the item was written.</returns>
    async Task<bool> UpdateAsync(string runId, string name, Func<byte[]?, byte[]?> change, CancellationToken cancellationToken)
    {
        if (change(await ReadAsync(runId, name, cancellationToken)) is not { } content)
            return false;
        await WriteAsync(runId, name, content, cancellationToken);
        return true;
    }

    /// <summary>An item's content; null if the item does not exist.</summary>
    Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken);

    /// <summary>Names of a run's items that start with a prefix, in ordinal order.</summary>
    Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken);

    /// <summary>
    /// Deletes the items that exist at the call. An item that is written again during the call stays, if the store can notice that.
    /// </summary>
    /// <param name="isMeant">Returns whether to delete the item with a name.</param>
    Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken);
}
