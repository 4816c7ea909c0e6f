namespace ScaleOut.DevBox.Display;

/// <summary>What one document costs to write: its index entries, its row by size, and which of its properties cost most.</summary>
internal static class ChargeLines
{
    private const int MaxProperties = 5;
    private const string Indent = "                 ";

    /// <param name="document">A document that the run writes, UTF-8.</param>
    /// <param name="prices">Null to leave out what fewer entries would save.</param>
    public static IEnumerable<string> From(RunSpec spec, ReadOnlySpan<byte> document, PriceList? prices)
    {
        var entries = RunEstimate.IndexEntriesOf(spec, document);
        var model = ChargeSpec.ModelOf(spec.Simulation?.Charges);
        var parts = entries.Total == 0 ? "the index is off"
            : $"{entries.Fixed}, {Words.Amount(entries.Paths, "path")}, {Words.Amount(entries.Values, "value")}";
        List<string> lines =
        [
            $"  charge         {Words.Amount(entries.Total, "index entry")}: {parts}; "
                + $"{Units(model.Create(document.Length, entries.Total))} to create",
            $"{Indent}{RowOf(model, document.Length, entries.Total)}",
        ];
        var dearest = PropertiesOf(spec, document, entries.Total);
        if (dearest.Count > 0)
            lines.Add($"{Indent}most entries: {string.Join(", ", dearest.Select(one => $"{one.Path} {Numbers.Count(one.Entries)}"))}");
        if (SavingOf(spec, document.Length, entries.Total, dearest, prices) is { } saving)
            lines.Add($"{Indent}{saving}");
        return lines;
    }

    private static string RowOf(ChargeModel model, int bytes, int entries)
    {
        var stored = model.StoredBytes(bytes);
        var row = model.WriteRows.TakeWhile(one => one.Bytes < stored).Count();
        if (row >= model.WriteRows.Count - 1)
            return $"stored as {Numbers.Count(stored)} bytes, in the last row";
        var left = model.WriteRows[row].Bytes - stored;
        var next = model.Create(bytes + left + 1, entries);
        return $"stored as {Numbers.Count(stored)} bytes, in the row of {Numbers.Count(model.WriteRows[row].Bytes / 1_024)} KB; "
            + $"{Words.Amount(left + 1, "byte")} more: {Units(next)}";
    }

    /// <summary>The properties at the top level with the most entries at and below them, without the partition key.</summary>
    private static List<(string Path, int Entries)> PropertiesOf(RunSpec spec, ReadOnlySpan<byte> document, int all)
    {
        var found = new List<(string Path, int Entries)>();
        var keys = spec.Container.KeyPathsFor(spec.Document);
        foreach (var name in JsonSerializer.Deserialize<JsonElement>(document).EnumerateObject().Select(property => property.Name))
        {
            if (keys.Contains($"/{name}"))
                continue;
            var path = $"/\"{name.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)}\"/*";
            var without = spec with
            {
                Container = spec.Container with
                {
                    ExcludedPaths = [.. spec.Container.ExcludedPaths, path],
                    IncludedPaths = [.. spec.Container.IncludedPaths.Where(included => !IndexPaths.Contains(path, included))],
                },
            };
            if (all - RunEstimate.IndexEntriesOf(without, document).Total is > 0 and var entries)
                found.Add(($"/{name}", entries));
        }

        return [.. found.OrderByDescending(one => one.Entries).Take(MaxProperties)];
    }

    /// <summary>What leaving the shown properties out of the index would save at the rate that the throughput holds.</summary>
    private static string? SavingOf(
        RunSpec spec, int bytes, int entries, List<(string Path, int Entries)> dearest, PriceList? prices)
    {
        if (dearest.Count == 0 || spec.Container.Name is not null || !spec.Workload.Shares.All(one => IsCreate(one.Kind)))
            return null;
        var model = ChargeSpec.ModelOf(spec.Simulation?.Charges);
        var (now, then) = (model.Create(bytes, entries).Value, model.Create(bytes, entries - dearest.Sum(one => one.Entries)).Value);
        var rate = spec.Container.Throughput / now;
        var units = rate * (now - then);
        var money = prices is null ? ""
            : $", {Numbers.Money(units * prices.RequestUnitPerSecondHour * MonthCost.Hours, prices.Currency)} a month";
        return $"without these in the index {Units(RequestUnits.From(then))}: at {Numbers.Count(rate)} writes a second "
            + $"{Numbers.Count(units)} RU/s less{money}";
    }

    private static bool IsCreate(WorkloadKind kind) =>
        kind is WorkloadKind.Insert or WorkloadKind.Upsert or WorkloadKind.Batch or WorkloadKind.Bulk;

    private static string Units(RequestUnits charge) => $"{charge.Rounded().Value.ToString("0.00", CultureInfo.InvariantCulture)} RU";
}
