namespace ScaleOut.Analysis.Reports;

/// <summary>Rounds figures to their precision, so that sums of doubles do not end in noise.</summary>
internal static class Rounding
{
    /// <summary>RU and rates, to 0.01.</summary>
    public static double Amount(double value) => Math.Round(value, 2);

    /// <inheritdoc cref="Amount(double)"/>
    public static double? Amount(double? value) => value is { } known ? Amount(known) : null;

    /// <summary>Milliseconds, to 0.001.</summary>
    public static double? Latency(double? milliseconds) => milliseconds is { } known ? Math.Round(known, 3) : null;

    /// <summary>A quotient; null when there is nothing to divide by.</summary>
    public static double? Ratio(double amount, double by) => by > 0 ? Amount(amount / by) : null;
}
