namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Where the next page begins: behind a document of a physical partition.</summary>
/// <param name="AfterSequence">The last document's place in the order of scanning.</param>
/// <param name="Passed">Results so far, skipped ones included; only if the query counts, orders or groups them.</param>
/// <param name="Order">The last result's ORDER BY values, as JSON; null without ORDER BY.</param>
/// <param name="Splits">
/// The query's places in partitions when they were split, the last one first, as <c>/ordinal/sequence</c>: their other parts continue
/// there.
/// </param>
internal readonly record struct QueryContinuation(
    int Partition, long AfterSequence, long Passed = 0, string? Order = null, string? Splits = null)
{
    private const string Mark = "+RID:~";

    /// <summary>The place in a partition that has the documents now.</summary>
    public long AfterIn(PhysicalPartition partition) =>
        AfterSequence + partition.Shifts.GetValueOrDefault(Partition.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether parts of a partition with a place of the query were merged again, so that the place is lost.</summary>
    public bool HasLostOrder(IEnumerable<PhysicalPartition> live)
    {
        string[] ordinals = [.. (Splits?.Split('/')[1..] ?? []).Where((_, place) => place % 2 == 0)];
        return ordinals.Length > 0
            && live.Any(partition => ordinals.Any(ordinal => partition.Shifts.TryGetValue(ordinal, out long shift) && shift < 0));
    }

    /// <summary>The same place after a split or merge: in the first partition that has the documents.</summary>
    public QueryContinuation Enter(PhysicalPartition firstPart) => this with
    {
        Partition = firstPart.Ordinal,
        AfterSequence = AfterIn(firstPart),
        Splits = string.Create(CultureInfo.InvariantCulture, $"/{Partition}/{AfterSequence}{Splits}"),
    };

    /// <summary>The beginning of the following partition, or the query's place in it when it was split.</summary>
    public QueryContinuation Follow(PhysicalPartition following)
    {
        string[] splits = Splits?.Split('/')[1..] ?? [];
        for (int i = 0; i < splits.Length; i += 2)
        {
            if (!following.Parents.Contains(splits[i]))
                continue;
            long after = long.Parse(splits[i + 1], CultureInfo.InvariantCulture) + following.Shifts.GetValueOrDefault(splits[i]);
            return new QueryContinuation(following.Ordinal, after, Splits: $"/{string.Join('/', splits[i..])}");
        }

        return new QueryContinuation(following.Ordinal, 0);
    }

    public override string ToString()
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{Mark}{Partition}{Splits}#{AfterSequence}");
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
        string[] parts = text[Mark.Length..].Split('#');
        long passed = 0;
        string? order = null;
        if (parts.Length is < 2 or > 4
            || !TryReadPlace(parts[0], out int partition, out string? splits)
            || !long.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out long sequence)
            || (parts.Length > 2 && !long.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out passed))
            || (parts.Length > 3 && !TryDecode(parts[3], out order)))
            return false;
        continuation = new QueryContinuation(partition, sequence, passed, order, splits);
        return true;
    }

    private static bool TryReadPlace(string text, out int partition, out string? splits)
    {
        int cut = text.IndexOf('/', StringComparison.Ordinal);
        splits = cut < 0 ? null : text[cut..];
        string[] numbers = splits?.Split('/')[1..] ?? [];
        return int.TryParse(cut < 0 ? text : text[..cut], NumberStyles.None, CultureInfo.InvariantCulture, out partition)
            && numbers.Length % 2 == 0
            && numbers.All(number => long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out _));
    }

    private static bool TryDecode(string base64, out string? text)
    {
        byte[] bytes = new byte[base64.Length];
        bool isValid = Convert.TryFromBase64String(base64, bytes, out int written);
        text = isValid ? Encoding.UTF8.GetString(bytes, 0, written) : null;
        return isValid;
    }
}
