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
internal readonly partial record struct QueryContinuation(
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
        var groups = Form().Match(text).Groups;
        var isValid = TryDecode(groups["order"], out var order) && groups[0].Success;
        continuation = isValid
            ? new QueryContinuation((int)Read("partition"), Read("sequence"), Read("passed"), order, TextOf("splits"), (int)Read("row"))
            : default;
        return isValid;

        string? TextOf(string group) => groups[group] is { Length: > 0, Value: var found } ? found : null;
        long Read(string group) => TextOf(group) is { } digits ? long.Parse(digits, CultureInfo.InvariantCulture) : 0;
    }

    private static bool TryDecode(Group base64, out string? text)
    {
        var bytes = new byte[base64.Length];
        var isValid = Convert.TryFromBase64String(base64.Value, bytes, out var written);
        text = base64.Success && isValid ? Encoding.UTF8.GetString(bytes, 0, written) : null;
        return isValid;
    }

    [GeneratedRegex(
        @"\A\+RID:~(?<partition>[0-9]{1,9})(?<splits>((/[0-9]{1,18}){3})*)#(?<sequence>[0-9]{1,18})(/(?<row>[0-9]{1,9}))?"
            + @"(#(?<passed>[0-9]{1,18})(#(?<order>[^#]*))?)?\z",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant)]
    private static partial Regex Form();
}
