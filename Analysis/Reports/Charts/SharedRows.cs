namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>Workers or partitions that share a row or a colour, because there are too many for one each.</summary>
internal static class SharedRows
{
    /// <summary>Cuts a list into at most so many parts of about the same length.</summary>
    public static IReadOnlyList<IReadOnlyList<T>> Of<T>(IReadOnlyList<T> list, int most)
    {
        var parts = Math.Min(most, list.Count);
        return [.. Enumerable.Range(0, parts).Select(part =>
            list.Take((part * list.Count / parts)..((part + 1) * list.Count / parts)).ToList())];
    }
}
