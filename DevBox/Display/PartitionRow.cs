namespace ScaleOut.DevBox.Display;

/// <summary>One physical partition as it is shown.</summary>
/// <param name="Min">First effective partition key of the range, hexadecimal; empty for the lowest.</param>
/// <param name="Max">Effective partition key after the range; <c>FF</c> for the highest.</param>
/// <param name="Totals">Without documents: they are counted by worker.</param>
/// <param name="Rates">Likewise.</param>
/// <param name="BudgetPerSecond">Its even share of the container's RU/s; null when that is not known.</param>
internal sealed record PartitionRow(string Min, string Max, Totals Totals, LiveRates Rates, double? BudgetPerSecond);
