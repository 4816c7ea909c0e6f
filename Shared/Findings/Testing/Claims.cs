namespace ScaleOut.Findings.Testing;

/// <summary>Claims as sentences, with their thresholds.</summary>
internal static class Claims
{
    /// <summary>A claim of a gain; with a threshold above 1 it says by how much.</summary>
    public static string Gain(string claim, double threshold) => threshold > 1 ? $"{claim}: more than {Say.Ratio(threshold)} times." : $"{claim}.";

    /// <summary>A claim that something makes no difference but for a factor.</summary>
    public static string Sameness(string claim, double factor) => $"{claim} (the rate stays within {Say.Ratio(1 / factor)} to {Say.Ratio(factor)} times).";
}
