namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Where the next page begins: after a document of a physical partition.</summary>
/// <param name="AfterSequence">The last document's place in the order of scanning.</param>
/// <param name="Passed">Number of results so far, including skipped ones; 0 if the query needs no count.</param>
/// <param name="Order">The last result's ORDER BY values, as JSON; null without ORDER BY.</param>
/// <param name="Splits">
/// The query's positions in partitions at the time of their splits, the last split first, as <c>/ordinal/sequence/row</c>. The other parts
/// of these partitions continue there.
/// </param>
/// <param name="Row">Number of rows of the next document that are passed already, if FROM makes several of it.</param>
internal readonly record struct QueryContinuation(
    int Partition, long AfterSequence, long Passed = 0, string? Order = null, string? Splits = null, int Row = 0)
{
    private const string Mark = "+RID:~";
    private const int PartsOfSplit = 3;

    /// <summary>The position in a partition that has the documents now.</summary>
    public long AfterIn(PhysicalPartition partition) =>
        AfterSequence + partition.Shifts.GetValueOrDefault(Partition.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether parts of a partition with a position of the query were merged again, so that the position is lost.</summary>
    public bool HasLostOrder(IEnumerable<PhysicalPartition> live)
    {
        string[] ordinals = [.. (Splits?.Split('/')[1..] ?? []).Where((_, place) => place % PartsOfSplit == 0)];
        return ordinals.Length > 0
            && live.Any(partition => ordinals.Any(ordinal => partition.Shifts.TryGetValue(ordinal, out var shift) && shift < 0));
    }

    /// <summary>The same position after a split or merge, in the first partition that has the documents.</summary>
    public QueryContinuation Enter(PhysicalPartition firstPart) => this with
    {
        Partition = firstPart.Ordinal,
        AfterSequence = AfterIn(firstPart),
        Splits = string.Create(CultureInfo.InvariantCulture, $"/{Partition}/{AfterSequence}/{Row}{Splits}"),
    };

    /// <summary>The beginning of the following partition, or the query's position in it at the time of its split.</summary>
    public QueryContinuation Follow(PhysicalPartition following)
    {
        var splits = Splits?.Split('/')[1..] ?? [];
        for (var i = 0; i < splits.Length; i += PartsOfSplit)
        {
            if (!following.Parents.Contains(splits[i]))
                continue;
            var after = long.Parse(splits[i + 1], CultureInfo.InvariantCulture) + following.Shifts.GetValueOrDefault(splits[i]);
            var row = (int)Math.Min(long.Parse(splits[i + 2], CultureInfo.InvariantCulture), int.MaxValue);
            return new QueryContinuation(following.Ordinal, after, Splits: $"/{string.Join('/', splits[i..])}", Row: row);
        }

        return new QueryContinuation(following.Ordinal, 0);
    }

    public override string ToString()
    {
        var text = string.Create(CultureInfo.InvariantCulture, $"{Mark}{Partition}{Splits}#{AfterSequence}");
        if (Row > 0)
            text += string.Create(CultureInfo.InvariantCulture, $"/{Row}");
        if (Passed > 0 || Order is not null)
            text += string.Create(CultureInfo.InvariantCulture, $"#{Passed}");
        return Order is null ? text : $"{text}#{Convert.ToBase64String(Encoding.UTF8.GetBytes(Order))}";
    }

    /// <summary>False for a text that <see cref="ToString"/> did not make.</summary>
    public static bool TryParse(string text, out QueryContinuation continuation)
    {
        continuation = default;
        if (!text.StartsWith(Mark, StringComparison.Ordinal))
            return false;
        var parts = text[Mark.Length..].Split('#');
        long passed = 0;
        var row = 0;
        string? order = null;
        var position = parts.ElementAtOrDefault(1)?.Split('/') ?? [];
        if (parts.Length is < 2 or > 4
            || !TryReadPlace(parts[0], out var partition, out var splits)
            || position.Length > 2
            || !long.TryParse(position[0], NumberStyles.None, CultureInfo.InvariantCulture, out var sequence)
            || (position.Length > 1 && !int.TryParse(position[1], NumberStyles.None, CultureInfo.InvariantCulture, out row))
            || (parts.Length > 2 && !long.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out passed))
            || (parts.Length > 3 && !TryDecode(parts[3], out order)))
            return false;
        continuation = new QueryContinuation(partition, sequence, passed, order, splits, row);
        return true;
    }

    private static bool TryReadPlace(string text, out int partition, out string? splits)
    {
        var cut = text.IndexOf('/', StringComparison.Ordinal);
        splits = cut < 0 ? null : text[cut..];
        var numbers = splits?.Split('/')[1..] ?? [];
        return int.TryParse(cut < 0 ? text : text[..cut], NumberStyles.None, CultureInfo.InvariantCulture, out partition)
            && numbers.Length % PartsOfSplit == 0
            && numbers.All(number => long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out _));
    }

    private static bool TryDecode(string base64, out string? text)
    {
        var bytes = new byte[base64.Length];
        var isValid = Convert.TryFromBase64String(base64, bytes, out var written);
        text = isValid ? Encoding.UTF8.GetString(bytes, 0, written) : null;
        return isValid;
    }
}
