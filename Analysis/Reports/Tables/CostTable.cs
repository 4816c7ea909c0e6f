namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>One row per part of a cost.</summary>
internal static class CostTable
{
    /// <summary>One table, or none for a run without a cost.</summary>
    public static IReadOnlyList<TextTable> From(RunReport report)
    {
        return report.Cost is { } cost ? [From(cost)] : [];
    }

    /// <summary>The table of a cost.</summary>
    public static TextTable From(RunCost cost)
    {
        return new("Cost", [Column.From("Billed for"), new("Quantity"), Column.From("Unit"), new($"Amount, {cost.Currency}")],
            [.. cost.Items.Select(Row), ["In all", "", "", Numbers.Brief(cost.Amount)]],
            $"An estimate from the run's spec and time{(cost.Source is null ? "" : $", at these prices: {cost.Source}")}. Free grants are "
                + "not taken off. What has no amount has no price in the price file.");
    }

    private static IReadOnlyList<string> Row(CostItem item) =>
        [item.Name, Numbers.Brief(item.Quantity), item.Unit, Numbers.Brief(item.Amount)];
}
