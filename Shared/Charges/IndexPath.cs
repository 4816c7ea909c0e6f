namespace ScaleOut.Charges;

/// <summary>
/// Paths of an indexing policy: <c>/a/?</c> is the scalar at <c>/a</c>, <c>/a/*</c> everything at and below it, <c>/a/[]/?</c> the scalars
/// of an array, <c>/*</c> everything.
/// </summary>
public static class IndexPath
{
    /// <summary>Whether an index path covers a leaf.</summary>
    /// <param name="indexPath">Such as <c>/SomeText/?</c>. One that ends in neither <c>?</c> nor <c>*</c> covers nothing.</param>
    /// <param name="leafPath">Path of a scalar, such as <c>/SomeText</c> or, in an array, <c>/tags/[]</c>.</param>
    public static bool Covers(string indexPath, string leafPath)
    {
        ArgumentNullException.ThrowIfNull(indexPath);
        ArgumentNullException.ThrowIfNull(leafPath);

        // Quotes only protect what is between them: /"a"/? is /a/?.
        indexPath = indexPath.Replace("\"", "", StringComparison.Ordinal);
        if (indexPath.EndsWith("/?", StringComparison.Ordinal))
            return Same(indexPath.AsSpan()[..^2], leafPath);
        if (!indexPath.EndsWith("/*", StringComparison.Ordinal))
            return false;

        var root = indexPath.AsSpan()[..^2];
        return Same(root, leafPath) || (leafPath.AsSpan().StartsWith(root, StringComparison.Ordinal) && leafPath[root.Length] == '/');
    }

    private static bool Same(ReadOnlySpan<char> left, ReadOnlySpan<char> right) => left.SequenceEqual(right);
}
