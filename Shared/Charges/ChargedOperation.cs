namespace ScaleOut.Charges;

/// <summary>An operation whose charge was published, described by what a charge model needs to know.</summary>
internal abstract record ChargedOperation
{
    /// <summary>The model's charge for this operation, in RU.</summary>
    public abstract double ChargeBy(ChargeModel model);
}

/// <summary>A read by id and partition key.</summary>
internal sealed record ChargedRead(long Bytes) : ChargedOperation
{
    /// <summary>Whether it is at Strong or BoundedStaleness consistency.</summary>
    public bool Strong { get; init; }

    public override double ChargeBy(ChargeModel model) => model.Read(Bytes) * (Strong ? ChargeModel.StrongReadFactor : 1);
}

/// <summary>A create, with the index entries that it adds.</summary>
internal sealed record ChargedCreate(long Bytes, int Terms) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Create(Bytes, Terms);
}

/// <summary>A replace that leaves an indexed document as large; each modified term is one index entry removed and one added.</summary>
internal sealed record ChargedReplace(long Bytes, int ModifiedTerms) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Replace(Bytes, Bytes, 2 * ModifiedTerms, isIndexed: true);
}

/// <summary>A delete, with the index entries that it removes.</summary>
internal sealed record ChargedDelete(long Bytes, int Terms) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Delete(Bytes, Terms);
}

/// <summary>A query with all its pages.</summary>
internal sealed record ChargedQuery : ChargedOperation
{
    /// <summary>Pages of all physical partitions together. A partition without a result also returns one page.</summary>
    public int Pages { get; init; } = 1;

    /// <summary>Conditions and ORDER BY that the index serves.</summary>
    public int Lookups { get; init; } = 1;

    /// <summary>Documents returned.</summary>
    public int Returned { get; init; }

    /// <summary>Documents loaded, but not returned.</summary>
    public int Scanned { get; init; }

    /// <summary>Size of each document.</summary>
    public long DocumentBytes { get; init; }

    public override double ChargeBy(ChargeModel model) => ChargeModel.Round(
        (Pages * model.QueryPage(Lookups))
        + ((Returned + Scanned) * model.QueryLoaded(DocumentBytes))
        + (Returned * model.QueryReturned(DocumentBytes)));
}

/// <summary>
/// Paths of an indexing policy: <c>/a/?</c> is the scalar at <c>/a</c>, <c>/a/*</c> everything at and below it, <c>/a/[]/?</c> the scalars
/// of an array, <c>/*</c> everything.
/// </summary>
internal static class IndexPath
{
    /// <summary>Whether the index holds a leaf: the most specific path that covers it decides, and without one it is indexed.</summary>
    /// <param name="leafPath">Path of a scalar, such as <c>/SomeText</c> or, in an array, <c>/tags/[]</c>.</param>
    public static bool Holds(IReadOnlyList<string> included, IReadOnlyList<string> excluded, string leafPath) =>
        MostSpecific(included, leafPath) > MostSpecific(excluded, leafPath) || MostSpecific(excluded, leafPath) < 0;

    /// <summary>Whether a path covers all that another one covers.</summary>
    public static bool Contains(string indexPath, string other) =>
        AreSame(indexPath, other) || (indexPath.EndsWith("/*", StringComparison.Ordinal) && Covers(indexPath, Plain(other)[..^2]));

    /// <summary>Whether two paths differ at most in quotes.</summary>
    public static bool AreSame(string indexPath, string other) => Plain(indexPath) == Plain(other);

    /// <summary>Whether an index path covers a leaf.</summary>
    /// <param name="indexPath">Such as <c>/SomeText/?</c>. One that ends in neither <c>?</c> nor <c>*</c> covers nothing.</param>
    /// <param name="leafPath">Path of a scalar, such as <c>/SomeText</c> or, in an array, <c>/tags/[]</c>.</param>
    public static bool Covers(string indexPath, string leafPath)
    {
        indexPath = Plain(indexPath);
        if (indexPath.EndsWith("/?", StringComparison.Ordinal))
            return Same(indexPath.AsSpan()[..^2], leafPath);
        if (!indexPath.EndsWith("/*", StringComparison.Ordinal))
            return false;

        var root = indexPath.AsSpan()[..^2];
        return Same(root, leafPath) || (leafPath.AsSpan().StartsWith(root, StringComparison.Ordinal) && leafPath[root.Length] == '/');
    }

    /// <summary>How specific the most specific path is that covers a leaf; -1 if none does. The leaf's own path is the most.</summary>
    private static int MostSpecific(IReadOnlyList<string> paths, string leafPath) => paths
        .Where(path => Covers(path, leafPath))
        .Select(path => path.EndsWith("/?", StringComparison.Ordinal) ? int.MaxValue : Plain(path).Length)
        .Append(-1).Max();

    /// <summary>Quotes only protect what is between them: <c>/"a"/?</c> is <c>/a/?</c>.</summary>
    private static string Plain(string indexPath) => indexPath.Replace("\"", "", StringComparison.Ordinal);

    private static bool Same(ReadOnlySpan<char> left, ReadOnlySpan<char> right) => left.SequenceEqual(right);
}
