using static ScaleOut.Analysis.Text.CsvText;

namespace ScaleOut.Analysis.Limits;

/// <summary>The page and the CSV file of a search's report.</summary>
public static class LimitForms
{
    public static ReportKind<LimitReport> Kind { get; } = new(report => report.Id, Page, [new("report.csv", Runs)]);

    private static ReportPage Page(LimitReport report) => new()
    {
        Subject = $"Limit {report.Id}",
        Name = report.Name,
        Simulated = report.Simulated,
        Badges =
        [
            HoldsOf(report.Limit), new(report.State.ToString(), report.State == ExperimentState.Complete ? "good" : "fair"),
            .. Badge.Of(LimitSentences.BoundOf(report)),
        ],
        Number = report.Limit.Rate is { } rate
            ? new("Per second", LimitSentences.Rate(rate), report.Limit is { Fit: not null, Low: { } low, High: { } high }
                ? $"{LimitSentences.Rate(low)} to {LimitSentences.Rate(high)}"
                : "the highest tried")
            : null,
        Result = LimitSentences.Result(report),
        Next = LimitSentences.Next(report),
        Command = NextStep.CommandIn(report.StartedBy),
        About = [$"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}."],
        Parts =
        [
            ReportPart.Warnings(report.State == ExperimentState.Complete ? [] : report.Warnings),
            .. LimitChart.From(report).Select(ReportPart.From),
            ReportPart.Warnings(report.State == ExperimentState.Complete ? report.Warnings : []),
            ReportPart.From(Steps(report)),
            ReportPart.List("How the limit follows", [LimitSentences.Method(report)]),
            ReportPart.From(Settings(report)),
        ],
    };

    private static Badge HoldsOf(LimitSummary limit) => limit switch
    {
        { Rate: not null } => new("Holds", "good"),
        { End: LimitEnd.NoneHolds } => new("No rate holds", "bad"),
        _ => new("No limit shown", "fair"),
    };

    /// <summary>The settings of the search, and of the runs that it makes at every rate.</summary>
    private static TextTable Settings(LimitReport report)
    {
        var (limit, run) = (report.Spec.Limit!, LimitPlanner.PlanOf(report.Spec, report.Spec.Limit!.FirstRate));
        return TextTable.OfValues(RunSettings.Title, "Setting", "Value",
        [
            .. MachineKind.RowsOf(report.StartedBy, report.Machines),
            ("A rate holds when", report.Condition),
            ("First rate", $"{LimitSentences.Rate(limit.FirstRate)}/s"),
            ("Highest rate", $"{LimitSentences.Rate(limit.To)}/s"),
            ("Time of a run", Numbers.Duration(limit.StepDuration)),
            ("Runs of a rate", Numbers.Count(limit.Repeats)),
            ("Confidence", Numbers.Percent(limit.Confidence)),
            ("Precision", $"an interval of at most {Numbers.Percent(limit.Precision)} of the rate"),
            ("Workers", Numbers.Count(report.Workers)),
            .. RunSettings.RowsOf(run, report.Simulated),
            ("Client settings", RunSettings.SettingsOf(run.SettingsOf(0), run.Workload.Kind.UsesTables())),
            ("Started", Numbers.Instant(report.StartedAt)),
            ("Finished", Numbers.Instant(report.FinishedAt)),
        ]) with
        {
            OnConsole = false,
        };
    }

    /// <summary>One row per run. <c>held</c> is 1 or 0, and empty when the run is inconclusive.</summary>
    private static byte[] Runs(LimitReport report) => CsvText.From<(LimitStep Step, LimitRunDigest Run)>(
        report.Steps.SelectMany(step => step.Runs.Select(run => (step, run))),
        [
            new("askedPerSecond", row => Number(row.Step.Rate)),
            new("runId", row => row.Run.RunId),
            new("held", row => row.Run.Held is { } held ? Flag(held) : ""),
            new("achievedPerSecond", row => Number(row.Run.AchievedPerSecond)),
            new("latencyP50Ms", row => Number(row.Run.LatencyMs?.P50)),
            new("latencyP99Ms", row => Number(row.Run.LatencyMs?.P99)),
            new("throttledShare", row => Number(row.Run.ThrottledShare)),
            new("requestUnitsPerSecond", row => Number(row.Run.RequestUnitsPerSecond)),
            new("inFlight", row => Number(row.Run.InFlight)),
            new("errors", row => Number(row.Run.Errors)),
            new("boundBy", row => Name(row.Run.BoundBy)),
            new("notMet", row => Guarded(row.Run.Reason)),
            new("simulated", _ => Flag(report.Simulated)),
        ]);

    /// <summary>A row for each rate.</summary>
    private static TextTable Steps(LimitReport report) => new Columns<LimitStep>()
        .Figure("Asked per second", step => LimitSentences.Rate(step.Rate))
        .Text("Verdict", step => step.Verdict.ToString().ToLowerInvariant())
        .Count("Held", step => step.Held)
        .Count("Failed", step => step.Failed)
        .Figure(
            "Achieved per second", step => step.AchievedPerSecond is { } achieved ? LimitSentences.Rate(achieved) : Numbers.Unknown)
        .Figure("p50", step => Range(step, run => run.LatencyMs?.P50, Numbers.Brief), "ms", console: false)
        .Figure("p99", step => Range(step, run => run.LatencyMs?.P99, Numbers.Brief), "ms")
        .Figure("Throttled", step => Range(step, run => run.ThrottledShare, Numbers.Percent))
        .Figure("RU/s", step => Range(step, run => run.RequestUnitsPerSecond, Numbers.Brief), console: false)
        .Figure("In flight", step => Range(step, run => run.InFlight, Numbers.Brief), console: false)
        .Text("Bound by", step => string.Join(
            ", ", step.Runs.Where(run => run.BoundBy is not null).Select(run => Words.From(run.BoundBy)).Distinct()))
        .Text("Not met", NotMet, console: false)
        .Table("Rates that were tried", report.Steps,
            "Latencies of operations from their intended start, and 429s, both after the warm-up. Where a rate was measured several times, "
                + "the lowest and the highest value.");

    private static string NotMet(LimitStep step) =>
        string.Join("; ", step.Runs.Where(run => run.Held != true).Select(run => run.Reason).OfType<string>().Distinct());

    private static string Range(LimitStep step, Func<LimitRunDigest, double?> value, Func<double?, string> text) =>
        Numbers.Range([.. step.Runs.Select(value).OfType<double>()], text);
}
