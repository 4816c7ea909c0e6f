namespace ScaleOut.Analysis.Comparisons;

/// <summary>
/// Compares two runs. The interval of their rates comes from the seconds in which all workers were at work (<see cref="BatchMeans"/>).
/// Differences from run to run are not included; only repeats show them.
/// </summary>
internal static class RunComparison
{
    /// <summary>Compares the second run with the first one.</summary>
    public static ComparisonReport From(RunReport a, RunReport b)
    {
        var (first, second) = (BatchMeans.From(OverlapOf(a)), BatchMeans.From(OverlapOf(b)));
        return new ComparisonReport
        {
            A = a.Id,
            B = b.Id,
            Simulated = a.Simulated || b.Simulated,
            Invalid = [.. InvalidParts.WithOwner(a.Invalid, a.Id), .. InvalidParts.WithOwner(b.Invalid, b.Id)],
            Rows = [Rate(a, b, first, second), .. Others(a, b)],
            Settings = SettingDifferences.From(a.Spec.Unnamed(), b.Spec.Unnamed()),
            Notes = [.. Notes(a, b, first, second)],
        };
    }

    private static IReadOnlyList<double> OverlapOf(RunReport report) =>
        ReportTimeline.From(report).InOverlap([.. report.Series.Select(point => (double)point.Counts.Inserted)]);

    private static ComparisonRow Rate(RunReport a, RunReport b, BatchMeans? first, BatchMeans? second)
    {
        var (before, after) = (a.Throughput.Rate, b.Throughput.Rate);
        const string Figure = "documents per second";
        if (NotValid(a, b, "rate", run => run.RateSpoiledBy) is { } why)
            return ComparisonRow.From(Figure, before, after, null, why);
        if (first is null || second is null)
        {
            var run = first is null ? a : b;
            var seconds = run.Throughput.OverlapSeconds;
            return ComparisonRow.From(Figure, before, after, null, run.TimeErrors.Count > 0
                ? $"the times of run {run.Id} contradict each other, so it has no rate"
                : $"run {run.Id} has {seconds} seconds with all workers at work; an interval needs {BatchMeans.MinSeconds}");
        }

        if (first.Values.Concat(second.Values).Any(value => value <= 0))
            return ComparisonRow.From(
                Figure, before, after, null, "there are stretches without a single document, so a ratio has no interval");
        return ComparisonRow.From(Figure, before, after, BatchMeans.Ratio(second, first),
            $"means of {first.Values.Count} stretches of {first.SecondsPerBatch} s and {second.Values.Count} of {second.SecondsPerBatch} s "
                + $"within the runs");
    }

    private static IEnumerable<ComparisonRow> Others(RunReport a, RunReport b)
    {
        const string OneValue = "one value from each run";
        ComparisonRow Row(string figure, Func<RunReport, double?> value, string why = OneValue) =>
            ComparisonRow.From(figure, value(a), value(b), null, why);
        var ofRate = NotValid(a, b, "rate", run => run.RateSpoiledBy) ?? OneValue;
        var ofLatency = NotValid(a, b, "latencies", run => run.LatencySpoiledBy) ?? OneValue;
        return
        [
            Row("latency mean, ms", report => report.LatencyMs.Operation.Mean, ofLatency),
            Row("latency p50, ms", report => report.LatencyMs.Operation.P50, ofLatency),
            Row("latency p99, ms", report => report.LatencyMs.Operation.P99, ofLatency),
            Row("RU per insert", report => report.RequestUnits.PerInsert),
            Row("RU per second", report => report.RequestUnits.PerSecondMean, ofRate),
            Row("throttled share", report => report.Requests.ThrottledShare, ofRate),
        ];
    }

    /// <summary>Why such figures of the two are not compared; null if they are valid.</summary>
    private static string? NotValid(RunReport a, RunReport b, string what, Func<RunFigures, MachineEffect?> spoiledBy)
    {
        var invalid = new[] { a, b }.Where(run => spoiledBy(RunFigures.From(run)) is not null).Select(run => run.Id).ToList();
        return invalid.Count == 0 ? null : $"not valid: {what} of {string.Join(" and ", invalid)}";
    }

    private static IEnumerable<string> Notes(RunReport a, RunReport b, BatchMeans? first, BatchMeans? second)
    {
        yield return "The interval comes from within the two runs. It leaves out what differs from run to run, such as other load on the "
            + "machine; an experiment with repeats includes that.";
        foreach (var (run, means) in new[] { (a, first), (b, second) })
        {
            if (means is { Correlated: true })
                yield return
                    $"Run {run.Id} drifts: its stretches of {means.SecondsPerBatch} s are still correlated, so the interval may be too "
                        + $"narrow.";
            if (run.State != RunState.Complete)
                yield return $"Run {run.Id} is {run.State.ToString().ToLowerInvariant()}.";
        }

        if (a.BoundBy != b.BoundBy)
            yield return $"Run {a.Id} was bound by {Words.From(a.BoundBy)}, run {b.Id} by {Words.From(b.BoundBy)}.";
        if (a.Simulated != b.Simulated)
            yield return "Only one of the two ran against the simulated account.";
    }
}
