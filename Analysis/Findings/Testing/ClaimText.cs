namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>Phrases that the findings' sentences share.</summary>
internal static class ClaimText
{
    /// <summary>A claim of a gain; with a threshold above 1 it says by how much.</summary>
    public static string Gain(string claim, double threshold) =>
        threshold > 1 ? $"{claim}: more than {Numbers.Brief(threshold)} times." : $"{claim}.";

    /// <summary>A claim that something makes no difference but for a factor.</summary>
    public static string Sameness(string claim, double factor) =>
        $"{claim} (the rate stays within {Numbers.Brief(1 / factor)} to {Numbers.Brief(factor)} times).";

    public const string SingleRepeat = "a single run of a variant has no interval; repeat the experiment";

    /// <summary>Why a claim that depends on the layout cannot be tested on some variants.</summary>
    public static string Capped(IReadOnlyList<string> variants) =>
        $"the simulated account gave {string.Join(", ", variants)} other physical partitions than the service does, and the claim depends "
            + "on them";

    /// <summary>A 95% interval in brackets, with a space before it. Empty without an interval.</summary>
    public static string Within(Interval? interval) =>
        interval is { } known ? $" (95% interval{Text(known)})" : "";

    /// <summary>A 90% interval in brackets, with a space before it. Empty without an interval.</summary>
    public static string Within90(Interval? interval) =>
        interval is { } known ? $" (90% interval{Text(known)})" : "";

    private static string Text(Interval interval) =>
        interval.IsTooWide ? ": too few repeats" : $" {Numbers.Brief(interval.Low)} to {Numbers.Brief(interval.High)}";

    /// <summary>
    /// Repeating an experiment because of its result makes that result an interim analysis, which the next experiment must count.
    /// </summary>
    private const string SecondAnalysis = "in an experiment with \"looks\": 2, because this one was an interim analysis";

    /// <summary>Says how many repeats would decide a claim that noise left undecided.</summary>
    /// <param name="needed">Number of repeats that would decide. Null if no number would.</param>
    public static string Repeats(int? needed, int done) => needed switch
    {
        null => "it is too near to that limit for repeats to decide",
        int count when count > done => $"about {count} repeats would decide, {SecondAnalysis}",
        _ => $"a few more repeats would decide, {SecondAnalysis}",
    };
}
