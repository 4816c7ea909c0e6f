using System.Globalization;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Analysis.Text;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments;

/// <summary>The few sentences that say how an experiment went.</summary>
public static class ExperimentSentences
{
    /// <summary>How much was run, and what came of the findings.</summary>
    public static string Headline(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var runs = report.Variants.SelectMany(variant => variant.Runs).ToList();
        var complete = runs.Count(run => run.State == RunState.Complete);
        var asked = report.Spec.Variants.Count * report.Spec.Repeats;
        var amount = complete == asked
            ? Words.Amount(asked, "complete run")
            : $"{Numbers.Count(complete)} of {Words.Amount(asked, "run")} complete";
        var text = $"{amount}{(complete == asked ? " of" : ", with")} {Words.Amount(report.Variants.Count, "variant")}"
            + $" in {Numbers.Duration(TimeOf(report))}";
        return report.Findings.Count == 0
            ? $"{text}."
            : $"{text}; of {Words.Amount(report.Findings.Count, "finding")} {Verdicts(report.Findings)}.";
    }

    /// <summary>
    /// What came of it in two sentences: the highest rate, and what bound it, what that says, and the one change that would raise it most.
    /// </summary>
    public static IReadOnlyList<string> Result(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var measured = report.Variants.Where(variant => variant.Rate is not null)
            .OrderByDescending(variant => variant.Rate!.Value).ToList();
        if (measured.Count == 0)
            return ["No variant was measured."];
        var best = measured[0];
        var sameUnit = measured.All(variant => variant.Plan.Workload.Kind == best.Plan.Workload.Kind);
        var slowest = measured.Count > 1 && sameUnit
            ? $", {FindingText.Ratio(best.Rate!.Value / measured[^1].Rate!.Value)} x the slowest, {measured[^1].Name}"
            : "";
        var interval = best.Rate!.Interval95 switch
        {
            null => "one repeat",
            { IsTooWide: true } => "too few repeats for an interval",
            { } known => $"95% interval {Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}, {best.Rate.Count} repeats",
        };
        return
        [
            $"The fastest variant is {best.Name} with {Numbers.Brief(best.Rate.Value)} {UnitOf(best)} per second ({interval}){slowest}.",
            .. BoundOf(best),
        ];
    }

    private static string UnitOf(VariantReport variant) => WorkloadWords.From(variant.Plan.Workload.Kind).Plural.ToLowerInvariant();

    /// <summary>What bound most of a variant's runs; nothing where it is not known.</summary>
    private static IEnumerable<string> BoundOf(VariantReport variant)
    {
        var group = variant.Counted.GroupBy(run => run.Figures!.BoundBy).MaxBy(runs => runs.Count());
        if (group?.Key is not { } bound)
            yield break;
        var speaksOf = NextStep.SpeaksOf(
            bound, group.Any(run => run.Figures!.Simulated), group.Any(run => run.Figures!.Emulated),
            variant.Plan.Workload.Kind.UsesTables());
        var (count, all) = (group.Count(), variant.Counted.Count);
        yield return $"Bound by {Words.From(bound)}{(count < all ? $" in {count} of {all} runs" : "")}: {speaksOf}. "
            + NextStep.From(bound, group.First().Utilization, variant.Plan.Workload.IsPaced);
    }

    /// <summary>The time that its runs took, one after the other; an experiment that was resumed may have waited in between.</summary>
    private static TimeSpan TimeOf(ExperimentReport report)
    {
        var runs = report.Variants.SelectMany(variant => variant.Runs)
            .Where(run => run is { StartedAt: not null, FinishedAt: not null })
            .Select(run => (run.FinishedAt!.Value - run.StartedAt!.Value).TotalSeconds - run.InterruptedSeconds)
            .ToList();
        return runs.Count > 0 ? TimeSpan.FromSeconds(Math.Max(0, runs.Sum())) : report.FinishedAt - report.StartedAt;
    }

    /// <summary>What the origins of findings mean on the simulated account.</summary>
    public const string OriginsOfFindings =
        "A finding marked emergent says how this client behaves under the simulated account's physics: the real SDK, protocols, queues "
            + "and cores. One marked assumed follows from a parameter of the simulated account and has no verdict: only a real account can "
            + "give one.";

    /// <summary>What the numbers are, where they are not an account's own at full size.</summary>
    public static IReadOnlyList<string> Labels(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var labels = new List<string>();
        if (report.Simulated)
        {
            labels.Add(report.Variants.Any(variant => variant.Plan.Workload.Kind.UsesTables() && variant.Rate is not null)
                ? "Simulated: all measured numbers are from the simulated account, but those of variants that write to Table storage."
                : "Simulated: all measured numbers are from the simulated account.");
        }

        if (report.Scale < 1)
            labels.Add(string.Create(CultureInfo.InvariantCulture, $"Scaled to {report.Scale:0.######}: not the spec's full size."));
        return labels;
    }

    private static string Verdicts(IReadOnlyList<FindingResult> findings) => string.Join(", ", findings
        .GroupBy(finding => finding.Verdict)
        .OrderBy(group => group.Key)
        .Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Count()} {FindingText.Verdict(group.Key)}")));
}

/// <summary>Findings in the words that every form of the report shares.</summary>
public static class FindingText
{
    public static string Verdict(FindingVerdict verdict) =>
        verdict == FindingVerdict.NotTested ? "not tested" : verdict.ToString().ToLowerInvariant();

    /// <summary>A verdict with where the effect comes from, such as <c>supported, emergent</c>.</summary>
    public static string Label(FindingResult finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        var verdict = Verdict(finding.Verdict);
        return finding is { Origin: { } origin, Verdict: not (FindingVerdict.Assumed or FindingVerdict.NotTested) }
            ? $"{verdict}, {Name(origin)}"
            : verdict;
    }

    /// <summary>An origin in a word.</summary>
    public static string Name(FindingOrigin origin) => origin.ToString().ToLowerInvariant();

    /// <summary>An interval, such as <c>1.23 to 1.29</c>.</summary>
    public static string From(Interval interval) =>
        interval.IsTooWide ? "says only that there are too few repeats" : $"{Ratio(interval.Low)} to {Ratio(interval.High)}";

    /// <summary>A ratio or another figure to three significant digits.</summary>
    public static string Ratio(double value) => value.ToString(
        Math.Abs(value) >= 100 ? "#,0" : Math.Abs(value) >= 10 ? "0.0" : Math.Abs(value) >= 0.1 ? "0.00" : "0.0000",
        CultureInfo.InvariantCulture);

    /// <summary>Effect, intervals, what was published, the reason and the notes, one line each.</summary>
    public static IReadOnlyList<string> Details(FindingResult finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        var lines = new List<string>();
        if (finding.Effect is { } effect)
        {
            var intervals = new[] { (Name: "95%", finding.Interval95), (Name: "90%", finding.Interval90) }
                .Where(pair => pair.Item2 is not null).Select(pair => $"{pair.Name} interval {From(pair.Item2!.Value)}").ToList();
            lines.Add($"Effect {Ratio(effect)}{(finding.EffectOf is { } what ? $" ({what})" : "")}"
                + (intervals.Count > 0 ? ", " + string.Join(", ", intervals) : ", no interval: too few repeats")
                + (finding.Simulated ? ", simulated" : ""));
        }

        if (finding.Origin is { } origin)
            lines.Add($"Origin: {Name(origin)}, {About(origin)}"
                + (finding.Predicted is { } predicted ? $"; by the parameters alone {Ratio(predicted)}" : ""));
        if (finding is { PValue: { } p, Holm: { } holm })
            lines.Add(Holm(finding.Verdict, p, holm));
        if (finding.Sensitivity is { } sensitivity)
            lines.Add($"Sensitivity: {sensitivity}");
        if (finding.Published is { } published)
            lines.Add($"Published: {Ratio(published.Value)} ({published.Source})");
        if (finding.Reason is { } reason && !finding.Sentence.Contains(reason, StringComparison.Ordinal))
            lines.Add($"Reason: {reason}");
        if (finding.Variants.Count > 0)
            lines.Add($"Variants: {string.Join(", ", finding.Variants)}");
        lines.AddRange(finding.Notes.Select(note => $"Note: {note}"));
        return lines;
    }

    /// <summary>The verdict among all findings of the experiment in a few words; empty for findings without one.</summary>
    public static string AmongAll(FindingResult finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        return finding.Holm is not { } holm ? ""
            : holm.Verdict == finding.Verdict ? $"{Verdict(holm.Verdict)} among all findings"
            : $"not {Verdict(finding.Verdict)} among all findings (Holm)";
    }

    private static string Holm(FindingVerdict verdict, double p, HolmVerdict holm) =>
        $"Holm: p {P(p)}, {P(holm.PValue)} among {Words.Amount(holm.Findings, "tested finding")}: "
            + (holm.Verdict == verdict
                ? $"still {Verdict(verdict)}"
                : $"{Verdict(holm.Verdict)}; of so many findings some are {Verdict(verdict)} by chance");

    private static string P(double value) => value < 0.0001 ? "below 0.0001" : value.ToString("0.0###", CultureInfo.InvariantCulture);

    private static string About(FindingOrigin origin) => origin switch
    {
        FindingOrigin.Assumed => "it follows from parameters of the simulated account",
        FindingOrigin.Emergent => "it comes out of the client and the cores under the simulated account's physics",
        _ => "it is this account's own",
    };
}
