namespace ScaleOut.Analysis.Limits;

/// <summary>The tables and short texts that the forms of a search's report share.</summary>
public static class LimitReportTexts
{
    /// <summary>What the runs do.</summary>
    internal static WorkloadKind WorkloadOf(LimitReport report) =>
        LimitPlanner.PlanOf(report.Spec, report.Spec.Limit!.FirstRate).Workload.Kind;

    /// <summary>A row for each rate.</summary>
    public static TextTable Steps(LimitReport report)
    {
        return new TextTable(
            "Rates that were tried",
            [
                new("Asked per second"), Column.From("Verdict"), new("Held"), new("Failed"), new("Achieved per second"), new("p50, ms"),
                new("p99, ms"), new("Throttled"), new("RU/s"), new("In flight"), Column.From("Bound by"), Column.From("Not met"),
            ],
            [.. report.Steps.Select(Row)],
            "Latencies of operations from their intended start, and 429s, both after the warm-up. Where a rate was measured several times, "
                + "the lowest and the highest value.");
    }

    private static IReadOnlyList<string> Row(LimitStep step)
    {
        var bounds = step.Runs.Where(run => run.BoundBy is not null).Select(run => Words.From(run.BoundBy)).Distinct();
        var unmet = step.Runs.Where(run => run.Held != true).Select(run => run.Reason).OfType<string>().Distinct();
        return
        [
            LimitSentences.Rate(step.Rate), Word(step.Verdict), Numbers.Count(step.Held), Numbers.Count(step.Failed),
            step.AchievedPerSecond is null ? Numbers.Unknown : LimitSentences.Rate(step.AchievedPerSecond),
            Range(step, run => run.LatencyMs?.P50, value => Numbers.Brief(value)),
            Range(step, run => run.LatencyMs?.P99, value => Numbers.Brief(value)),
            Range(step, run => run.ThrottledShare, Numbers.Percent),
            Range(step, run => run.RequestUnitsPerSecond, value => Numbers.Brief(value)),
            Range(step, run => run.InFlight, value => Numbers.Brief(value)),
            string.Join(", ", bounds), string.Join("; ", unmet),
        ];
    }

    private static string Word(LimitVerdict verdict) => verdict.ToString().ToLowerInvariant();

    private static string Range(LimitStep step, Func<LimitRunDigest, double?> value, Func<double?, string> text)
    {
        var known = step.Runs.Select(value).OfType<double>().Order().ToList();
        if (known.Count == 0)
            return Numbers.Unknown;
        var (low, high) = (text(known[0]), text(known[^1]));
        return low == high ? low : $"{low} to {high}";
    }
}
