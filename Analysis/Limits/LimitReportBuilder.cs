namespace ScaleOut.Analysis.Limits;

/// <summary>Makes the report of a search from its runs and their reports.</summary>
internal static class LimitReportBuilder
{
    private const int MaxWarnings = 5;

    /// <summary>Share of the asked rate from which it counts as achieved.</summary>
    private const double AchievedFully = 0.99;

    /// <param name="reports">The runs' reports by their ids, as far as there are any.</param>
    public static LimitReport Build(ExperimentEnding ending, IReadOnlyDictionary<string, RunReport> reports) =>
        Build(ending, LimitSearch.Next(ending.Spec.Limit!, ending.Runs), reports);

    internal static LimitReport Build(ExperimentEnding ending, LimitDecision decision, IReadOnlyDictionary<string, RunReport> reports)
    {
        ending = ending with { Runs = LimitPoint.WithoutOtherReasons(ending.Runs) };
        var (spec, limit) = (ending.Spec, ending.Spec.Limit ?? throw new ArgumentException("It looks for no limit.", nameof(ending)));
        var plan = LimitPlanner.PlanOf(spec, limit.FirstRate);
        var maxInFlight = Enumerable.Range(0, plan.Workers).Sum(worker => plan.SettingsOf(worker).Concurrency);
        var end = ending.Stopped ? LimitEnd.Stopped : decision.End ?? LimitEnd.NotRefined;
        var bracket = end == LimitEnd.Unknown ? new LimitBracket(null, null, 0) : decision.Bracket;
        var steps = ending.Runs.GroupBy(measurement => measurement.Rate!.Value).OrderBy(group => group.Key)
            .Select(group => StepOf(group.Key, [.. group], bracket, reports, maxInFlight)).ToList();
        var report = new LimitReport
        {
            Id = spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(ending)),
            Name = spec.Name,
            State = end switch
            {
                LimitEnd.Stopped => ExperimentState.Stopped,
                LimitEnd.GivenUp or LimitEnd.Unknown or LimitEnd.FullMachine => ExperimentState.Incomplete,
                _ => ExperimentState.Complete,
            },
            Simulated = reports.Values.Any(one => one.Simulated),
            StartedAt = reports.Values.Select(one => one.StartedAt).DefaultIfEmpty(ending.StartedAt).Min(),
            FinishedAt = ending.FinishedAt,
            Spec = spec,
            Machines = MachineKind.Merge(reports.Values.SelectMany(MachineKind.From)),
            Condition = LimitCondition.From(limit).Text,
            Limit = new LimitSummary
            {
                End = end,
                Rate = RateOf(bracket, decision.Fit),
                AchievedPerSecond = AchievedOf(bracket, decision.Fit, steps),
                Low = bracket.Low,
                High = bracket.High,
                Probability = Math.Round(bracket.Probability, 4),
                Doubt = end == LimitEnd.Unknown ? decision.Doubt : null,
                Fit = decision.Fit,
                StoppedBy = LimitCauses.From(steps, maxInFlight),
                Text = "",
            },
            Workers = plan.Workers,
            MaxInFlight = maxInFlight,
            InFlight = steps.LastOrDefault(step => step is { Verdict: LimitVerdict.Holds, Held: > 0 })?.Runs.Average(run => run.InFlight),
            Curve = decision.Fit is null ? null : LimitSearch.CurveOf(limit, ending.Runs),
            Steps = steps,
        };
        report = report with { Limit = report.Limit with { Text = LimitSentences.Headline(report) } };
        return report with { Warnings = WarningsOf(report, reports) };
    }

    public static ExperimentOutcome OutcomeOf(LimitReport report)
    {
        var runs = report.Steps.SelectMany(step => step.Runs).ToList();
        return new ExperimentOutcome
        {
            ExperimentId = report.Id,
            State = report.State,
            Runs = runs.Count,
            Complete = runs.Count(run => run.Held is not null),
            NotComplete = runs.Count(run => run.Held is null),
            NotTestable = 0,
            Simulated = report.Simulated,
            Limit = report.Limit,
        };
    }

    private static LimitStep StepOf(
        double rate, IReadOnlyList<MeasuredRun> measurements, LimitBracket bracket, IReadOnlyDictionary<string, RunReport> reports,
        int maxInFlight)
    {
        var runs = measurements.Select(one => DigestOf(one, reports.GetValueOrDefault(one.RunId), maxInFlight)).ToList();
        return new LimitStep
        {
            Rate = rate,
            Verdict = VerdictOn(rate, runs.All(FailedAtLowRate), bracket),
            Held = runs.Count(run => run.Held == true),
            Failed = runs.Count(run => run.Held == false),
            AchievedPerSecond = Rounding.Amount(runs.Where(run => run.Held is not null).Average(run => run.AchievedPerSecond)),
            Runs = runs,
        };
    }

    private static LimitVerdict VerdictOn(double rate, bool failedAtLowRate, LimitBracket bracket)
    {
        if (failedAtLowRate)
            return LimitVerdict.Fails;
        if (rate <= bracket.Low)
            return LimitVerdict.Holds;
        return rate >= bracket.High ? LimitVerdict.Fails : LimitVerdict.Open;
    }

    private static LimitRunDigest DigestOf(MeasuredRun measurement, RunReport? report, int maxInFlight)
    {
        var digest = new LimitRunDigest
        {
            RunId = measurement.RunId, Held = measurement.Held, Reason = measurement.Reason, NotMet = measurement.NotMet,
        };
        if (report is null)
            return digest;
        var operations = report.Throughput.Rate / report.Spec.Workload.DocumentsPerOperation;
        var latency = LimitNumbers.LatencyOf(report);
        return digest with
        {
            AchievedPerSecond = report.Throughput.Rate,
            LatencyMs = latency,
            ThrottledShare = LimitNumbers.ThrottledShareOf(report) is { } share ? Math.Round(share, 5) : null,
            Errors = report.Requests.OtherErrors,
            RequestUnitsPerSecond = report.RequestUnits.PerSecondMean,
            BudgetPerSecond = report.RequestUnits.BudgetPerSecond,
            InFlight = operations * latency.Mean / 1000 is { } inFlight
                ? Math.Round(Math.Min(inFlight, maxInFlight), 2)
                : null,
            BoundBy = report.BoundBy,
            Utilization = report.Utilization,
        };
    }

    private static List<string> WarningsOf(LimitReport report, IReadOnlyDictionary<string, RunReport> reports)
    {
        var warnings = new List<string>();
        if (report.Limit is { End: LimitEnd.NotRefined, Fit: { } fit })
            warnings.Add($"The runs were used up before the interval was as narrow as was asked for: {LimitSentences.Noise(fit)}. Longer "
                + "steps (stepDuration) make them differ less.");
        var low = report.Steps.Where(step => step.Runs.Any(FailedAtLowRate)).ToList();
        if (low is [.., var highest])
            warnings.Add($"Rates up to {LimitSentences.Rate(highest.Rate)}/s failed before a higher one held: for a reason of low rates, "
                + "such as connections, warm-up or batches that fill slowly. They do not count, because an interval needs a condition "
                + "that holds below the limit and not above it: a p99 must rise with the rate.");
        var runs = report.Steps.SelectMany(step => step.Runs).ToList();
        var inconclusive = runs.Where(run => run.Held is null && !FailedAtLowRate(run)).ToList();
        if (inconclusive.Count > 0)
            warnings.Add($"{Words.Amount(inconclusive.Count, "run")} "
                + $"{(inconclusive.Count == 1 ? "is inconclusive and does" : "are inconclusive and do")} not count.");
        if (report.Spec.Limit!.StepDuration < TimeSpan.FromSeconds(10)
            + runs.Select(run => reports.GetValueOrDefault(run.RunId)?.Spec.Warmup ?? default).DefaultIfEmpty().Max())
            warnings.Add("Each rate was measured for less than 10 s: what builds up slowly, such as a queue or spent burst credit, may be "
                + "missed.");
        warnings.AddRange(inconclusive.Select(run => $"Run {run.RunId} is inconclusive: {run.Reason}").Take(MaxWarnings));
        return warnings;
    }

    private static bool FailedAtLowRate(LimitRunDigest run) =>
        run.Held is null && run.Reason?.StartsWith(LimitPoint.FailedAtLowRate, StringComparison.Ordinal) == true;

    /// <summary>The most probable limit, or else the highest rate that held.</summary>
    private static double? RateOf(LimitBracket bracket, LimitFit? fit) =>
        bracket is { Low: not null, High: not null } ? fit?.Limit ?? bracket.Low : bracket.Low;

    /// <summary>The rate that runs near the limit achieved. Null if it was not clearly less than the limit.</summary>
    private static double? AchievedOf(LimitBracket bracket, LimitFit? fit, IReadOnlyList<LimitStep> steps)
    {
        var share = steps.Where(step => step.Held > 0 && step.Rate >= bracket.Low && step.Rate <= (bracket.High ?? step.Rate))
            .Average(step => step.AchievedPerSecond / step.Rate);
        return share < AchievedFully ? Rounding.Amount(share * RateOf(bracket, fit)) : null;
    }
}

/// <summary>
/// Finds what kept a rate from being higher: what bound the runs at the lowest rate that fails, or else which condition they did not meet.
/// </summary>
internal static class LimitCauses
{
    /// <summary>Share of the permitted operations in flight from which they are the limit.</summary>
    private const double InFlightShare = 0.9;

    /// <summary>Null when nothing failed.</summary>
    public static LimitCause? From(IReadOnlyList<LimitStep> steps, int maxInFlight) => Failing(steps)
        .GroupBy(run => From(run, maxInFlight))
        .OrderByDescending(group => group.Count())
        .ThenBy(group => group.Key)
        .Select(group => (LimitCause?)group.Key)
        .FirstOrDefault();

    /// <summary>The run that shows a cause; null when none does.</summary>
    public static LimitRunDigest? Example(IReadOnlyList<LimitStep> steps, LimitCause? cause, int maxInFlight) =>
        Failing(steps).FirstOrDefault(run => From(run, maxInFlight) == cause);

    /// <summary>Runs that failed at the lowest rate that is shown to fail, or else at the lowest rate at which any run failed.</summary>
    private static IEnumerable<LimitRunDigest> Failing(IReadOnlyList<LimitStep> steps)
    {
        var step = steps.FirstOrDefault(one => one.Verdict == LimitVerdict.Fails && one.Failed > 0)
            ?? steps.FirstOrDefault(one => one.Failed > 0);
        return step?.Runs.Where(run => run.Held == false) ?? [];
    }

    private static LimitCause From(LimitRunDigest run, int maxInFlight) => run switch
    {
        { BoundBy: BoundBy.Errors } => LimitCause.Errors,
        { BoundBy: BoundBy.RequestUnits } => LimitCause.RequestUnits,
        { BoundBy: BoundBy.Partition } => LimitCause.Partition,
        { BoundBy: BoundBy.Client } => LimitCause.Client,
        { BoundBy: BoundBy.Machine } => LimitCause.Machine,
        { NotMet: LimitCause.Throttling, Utilization.PartitionThrottledShare: >= BoundByRule.ThrottledShare } => LimitCause.Partition,
        { NotMet: LimitCause.Throttling or LimitCause.Errors } => run.NotMet.Value,
        { InFlight: { } inFlight } when inFlight >= InFlightShare * maxInFlight => LimitCause.InFlight,
        _ => run.NotMet ?? LimitCause.Condition,
    };
}
