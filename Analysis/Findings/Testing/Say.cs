using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>Phrases that the findings' sentences share.</summary>
internal static class Say
{
    public const string SingleRepeat = "a single run of a variant has no interval; repeat the experiment";

    /// <summary>Why a run with slipped delays counts for nothing.</summary>
    public const string Slipped = "the simulated account gave its responses later than its latency says, because the machine was too busy";

    /// <summary>Why a claim that depends on the layout cannot be tested on some variants.</summary>
    public static string Capped(IReadOnlyList<string> variants) =>
        $"the simulated account gave {string.Join(", ", variants)} other physical partitions than the service does, and the claim depends "
            + "on them";

    /// <summary>A ratio with three significant digits.</summary>
    public static string Ratio(double ratio) => Numbers.Brief(ratio);

    /// <summary>A 95% interval in brackets, with a space before it; nothing without one.</summary>
    public static string Within(Interval? interval) =>
        interval is { } known ? $" (95% interval{Text(known)})" : "";

    /// <summary>A 90% interval in brackets, with a space before it; nothing without one.</summary>
    public static string Within90(Interval? interval) =>
        interval is { } known ? $" (90% interval{Text(known)})" : "";

    private static string Text(Interval interval) =>
        interval.IsTooWide ? ": too few repeats" : $" {Numbers.Brief(interval.Low)} to {Numbers.Brief(interval.High)}";

    /// <summary>A limit in words.</summary>
    public static string Cap(BoundBy cap) => cap switch
    {
        BoundBy.RequestUnits => "request units",
        BoundBy.Partition => "one physical partition",
        BoundBy.Client => "the clients' CPU",
        BoundBy.Machine => "the shared machine",
        BoundBy.Rate => "the rate asked for",
        _ => "latency",
    };

    /// <summary>What repeats could still do for a claim that noise left undecided.</summary>
    /// <param name="needed">Repeats that would decide; null when no number would.</param>
    /// <param name="done">Repeats so far.</param>
    public static string Repeats(int? needed, int done) => needed switch
    {
        null => "it is too near to that limit for repeats to decide",
        int count when count > done => $"about {count} repeats would decide",
        _ => "a few more repeats would decide",
    };

    /// <summary>Why nothing can be said of variants without a usable run; null when each has one.</summary>
    public static string? NothingMeasured(IEnumerable<MeasuredVariant> variants)
    {
        var reasons = variants.Select(variant => variant.NothingUsable).OfType<string>().ToList();
        return reasons.Count == 0 ? null : string.Join("; ", reasons);
    }
}
