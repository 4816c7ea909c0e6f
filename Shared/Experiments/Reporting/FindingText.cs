using System.Globalization;
using ScaleOut.Findings;
using ScaleOut.Statistics;

namespace ScaleOut.Experiments.Reporting;

/// <summary>Findings in the words that every form of the report shares.</summary>
public static class FindingText
{
    public static string Verdict(FindingVerdict verdict) => verdict == FindingVerdict.NotTested ? "not tested" : verdict.ToString().ToLowerInvariant();

    /// <summary>An interval, such as <c>1.23 to 1.29</c>.</summary>
    public static string Of(Interval interval) => $"{Ratio(interval.Low)} to {Ratio(interval.High)}";

    /// <summary>A ratio or another figure to three significant digits.</summary>
    public static string Ratio(double value) => value.ToString(Math.Abs(value) >= 100 ? "#,0" : Math.Abs(value) >= 10 ? "0.0" : Math.Abs(value) >= 0.1 ? "0.00" : "0.0000", CultureInfo.InvariantCulture);

    /// <summary>Effect, intervals, what was published, the reason and the notes, one line each.</summary>
    public static IReadOnlyList<string> Details(FindingResult finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        var lines = new List<string>();
        if (finding.Effect is { } effect)
        {
            var intervals = new[] { (Name: "95%", finding.Interval95), (Name: "90%", finding.Interval90) }
                .Where(pair => pair.Item2 is not null).Select(pair => $"{pair.Name} interval {Of(pair.Item2!.Value)}").ToList();
            lines.Add($"Effect {Ratio(effect)}{(finding.EffectOf is { } what ? $" ({what})" : "")}{(intervals.Count > 0 ? ", " + string.Join(", ", intervals) : ", no interval: too few repeats")}{(finding.Simulated ? ", simulated" : "")}");
        }

        if (finding.Published is { } published)
            lines.Add($"Published: {Ratio(published.Value)} ({published.Source})");
        if (finding.Reason is { } reason && !finding.Sentence.Contains(reason, StringComparison.Ordinal))
            lines.Add($"Reason: {reason}");
        if (finding.Variants.Count > 0)
            lines.Add($"Variants: {string.Join(", ", finding.Variants)}");
        lines.AddRange(finding.Notes.Select(note => $"Note: {note}"));
        return lines;
    }
}
