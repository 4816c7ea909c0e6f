using ScaleOut.Analysis.Reports.Charts;
using static ScaleOut.Analysis.Text.CsvText;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>The page and the CSV file of a run's report.</summary>
public static class RunForms
{
    public static ReportKind<RunReport> Kind { get; } = new(report => report.Id, Page, [new("report.csv", Seconds)]);

    private static ReportPage Page(RunReport report)
    {
        var charts = RunCharts.From(report);
        var isComplete = report.State == RunState.Complete;
        var bound = Sentences.WhatBound(report);
        List<KeyFigure> figures = report.IsEmpty ? [] : [.. Figures(report)];
        // The reasons why a run is not complete come before its figures.
        var warnings = ReportPart.Warnings(
            [.. report.Warnings.Except(report.Invalid.Select(one => one.Why))], isComplete ? "Warnings" : "Reasons and warnings",
            serious: report.State == RunState.Failed);
        return new ReportPage
        {
            Subject = $"Run {report.Id}",
            Name = report.Name,
            Simulated = report.Simulated,
            Badges =
            [
                .. InvalidParts.BadgesOf(report.State.ToString(), StyleOf(report.State), report.Invalid), .. Badge.Of(report.BoundBy),
            ],
            Number = figures.FirstOrDefault(),
            Result = InvalidParts.Result(report.Invalid, [$"{Sentences.Headline(report)}."]),
            Bound = bound,
            Next = Sentences.Next(report),
            Command = NextStep.CommandOf(report),
            About =
            [
                Sentences.State(report),
                $"Run {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}.",
                .. Physics(report) is { } physics ? [$"Physics: {physics}."] : Array.Empty<string>(),
            ],
            Parts =
            [
                .. InvalidParts.From(report.Invalid),
                .. isComplete ? Array.Empty<ReportPart>() : [warnings],
                .. report.IsEmpty ? Array.Empty<ReportPart>() : [new KeyFigures(figures)],
                .. charts.Take(1).Select(ReportPart.From),
                new UsedLimits(bound, [.. Limits(report.Utilization)]),
                .. isComplete ? [warnings] : Array.Empty<ReportPart>(),
                .. charts.Skip(1).Select(ReportPart.From),
                .. RunTables.From(report).Select(ReportPart.From),
            ],
        };
    }

    /// <summary>
    /// One row per UTC second in which anything happened. <c>inserted</c> and <c>failed</c> are documents, <c>throttled</c> is attempts
    /// that got a 429, <c>overlap</c> is 1 when all workers were at work. Each worker has a column with the documents that it inserted,
    /// and each physical partition one with the RU that it was charged. <c>simulated</c> is 1 when the figures come from the simulated
    /// account.
    /// </summary>
    private static byte[] Seconds(RunReport report) => CsvText.From(
        Enumerable.Range(0, report.Series.Count),
        [
            new("second", i => report.Series[i].Second.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture)),
            new("inserted", i => Number(report.Series[i].Counts.Inserted)),
            new("throttled", i => Number(report.Series[i].Counts.Throttled)),
            new("failed", i => Number(report.Series[i].Counts.Failed)),
            new("requestUnits", i => Number(report.Series[i].Counts.RequestUnits.Value)),
            new("overlap", i => Flag(report.Series[i].Overlap)),
            .. report.Workers.Select(worker => new CsvColumn<int>($"worker{worker.Index}", i => Number(worker.PerSecond[i]))),
            .. report.Partitions.Select(partition => new CsvColumn<int>($"partition{partition.Id}", i => Number(partition.PerSecond[i]))),
            new("simulated", _ => Flag(report.Simulated)),
        ]);

    private static string? Physics(RunReport report) =>
        PhysicsSource.From(report.Simulated ? report.Spec.Simulation : null, report.StartedAt);

    private static string StyleOf(RunState state) => state switch { RunState.Complete => "good", RunState.Failed => "bad", _ => "fair" };

    private static IEnumerable<KeyFigure> Figures(RunReport report)
    {
        var (rate, documents, requests, units) = (report.Throughput, report.Documents, report.Requests, report.RequestUnits);
        var kind = report.Spec.Workload.Kind;
        var words = WorkloadWords.From(kind);
        // A machine that lengthens latencies changes how many operations meet a 429, though not much where the budget sets their rate.
        var about = RunFigures.From(report).LatencySpoiledBy is null || requests.Throttled == 0 ? "" : "about ";
        IReadOnlyList<double> Of(Func<Counts, double> count) => [.. report.Series.Select(point => count(point.Counts))];
        var overlap = rate.OverlapPerSecond is null ? null : $"over {Words.Amount(rate.OverlapSeconds, "second")} of overlap";
        yield return new($"{words.Plural} per second", Numbers.Brief(rate.Rate), Joined(
            overlap ?? "over the makespan",
            overlap is null ? null : $"{Numbers.Brief(rate.MakespanPerSecond)} over the makespan",
            rate.CaughtUp > 0 ? $"without {Numbers.Count(rate.CaughtUp)} due before it" : null,
            rate.AskedPerSecond is { } asked ? $"asked for {Numbers.Brief(asked)} ({Numbers.Percent(rate.Rate / asked)} achieved)" : null),
            rate.AskedPerSecond is { } all ? $"of the {Numbers.Brief(all)} asked for" : overlap);
        yield return new("Latency p99, ms", Numbers.Brief(report.LatencyMs.Operation.P99), Joined(
            $"p50 {Numbers.Brief(report.LatencyMs.Operation.P50)} ms, of operations",
            $"p99 of attempts {Numbers.Brief(report.LatencyMs.Attempt.P99)} ms"),
            $"p50 {Numbers.Brief(report.LatencyMs.Operation.P50)} ms",
            [.. report.Series.Select(point => point.LatencyMs?.P99).OfType<double>()]);
        yield return new(
            "Throttled", requests.Attempts > 0 ? $"{about}{Numbers.Percent(requests.ThrottledShare)}" : Numbers.Unknown, Joined(
                $"{Numbers.Count(requests.Throttled)} of {Numbers.Count(requests.Attempts)} attempts",
                units.Throttled > 0 ? $"charged {Numbers.Brief(units.Throttled)} RU by their headers, not in the RU/s" : null,
                NotZero(requests.OtherErrors, "other errors")),
            NotZero(requests.OtherErrors, "other errors") ?? $"of {Numbers.Count(requests.Attempts)} attempts",
            Of(counts => counts.Throttled));
        yield return kind.UsesTables() ? new("Request units", "none", "tables are not charged in RU") : new(
            "RU/s, mean", Numbers.Brief(units.PerSecondMean), Joined(
                $"of {Numbers.Brief(units.BudgetPerSecond)}", $"{Numbers.Brief(units.PerInsert)} per {words.One}",
                report.RepeatsDocuments ? "with the RU of attempts at documents that were there" : null,
                requests.Items is null ? null : $"{Numbers.Brief(requests.CallsPerOperation)} requests per query"),
            $"of {Numbers.Brief(units.BudgetPerSecond)}", Of(counts => counts.RequestUnits.Value));
        var counts = Joined(
            NotZero(documents.AlreadyPresent, words.AlreadyDone.ToLowerInvariant()), NotZero(documents.Failed, "failed"),
            NotZero(documents.Remaining, "remaining"));
        var asks = $"of {Numbers.Count(documents.Asked)} asked";
        var brief = counts.Length > 0 ? counts : asks;
        yield return report.Spec.Workload is { LeavesCount: true } or { HasSeveralKinds: true }
            ? new(words.Plural, Numbers.Count(documents.Inserted), Joined(asks, counts), brief)
            : new("Verified documents", Numbers.Count(documents.Verified), Joined(
                asks, $"{Numbers.Count(documents.Inserted)} {words.Done.ToLowerInvariant()}", counts), brief);
        if (report.LostLegs > 0)
            yield return new("Lost legs", Numbers.Count(report.LostLegs), (report.State, report.LostLegs) switch
            {
                (RunState.Complete, 1) => "was run again",
                (RunState.Complete, _) => "were run again",
                _ => "left no result; the run ended before all documents were done",
            });
    }

    private static string Joined(params string?[] parts) => string.Join("; ", parts.Where(part => !string.IsNullOrEmpty(part)));

    private static string? NotZero(long count, string what) => count == 0 ? null : $"{Numbers.Count(count)} {what}";

    private static IEnumerable<UsedLimit> Limits(Utilization? used) =>
        new (string Name, double? Mean, double? Max)[]
        {
            ("RU/s of the container", used?.RequestUnits, null),
            ("Busiest partition, seconds at its limit", used?.PartitionSecondsAtLimit, null),
            ("Busiest worker's cores", used?.Client, used?.ClientMax),
            ("Busiest machine's cores", used?.Machine, used?.MachineMax),
            ("of them by the workers", used?.MachineByWorkers, null),
            ("of them by the simulated account", used?.MachineByAccount, null),
            ("of them by other programs", used?.MachineByOthers, null),
        }
        .Where(limit => limit.Mean is not null).Select(limit => new UsedLimit(limit.Name, limit.Mean!.Value, limit.Max));
}
