namespace ScaleOut.Tests.Support.Runs;

/// <summary>A made-up search. A test sets what its runs measure and what bounds them.</summary>
internal static class LimitSample
{
    public static ExperimentSpec Spec { get; } = new()
    {
        Id = "orders", Base = new JsonObject { ["workers"] = 2, ["client"] = new JsonObject { ["concurrency"] = 10 } },
        Limit = new LimitSpec(),
    };

    private static LimitFit Fit => new() { Limit = 1_012, Deviation = 0.02, LapseShare = 0.03, Resemblance = 1.5, Runs = 30 };

    public static RunReport Run(
        double asked, double? achieved = null, BoundBy bound = BoundBy.Rate, double p99 = 8, double mean = 5, double throttledShare = 0,
        long errors = 0, Utilization? used = null)
    {
        var report = new RunSample { Seconds = 12, Spec = new LimitPlanner(Spec).RunAt(asked, 1).Spec with { Documents = 2_000 } }.Build();
        return report with
        {
            BoundBy = bound,
            Utilization = used ?? new Utilization(),
            Steps = [],
            Throughput = report.Throughput with { OverlapPerSecond = achieved ?? asked },
            LatencyMs = report.LatencyMs with { Operation = new LatencySummary { P50 = mean, Mean = mean, P99 = p99 } },
            Requests = report.Requests with { Attempts = 100_000, Throttled = (long)(100_000 * throttledShare), OtherErrors = errors },
        };
    }

    /// <summary>The report of a search in which the limit was found between 993.2 and 1,037 per second.</summary>
    /// <param name="failing">The run at the higher rate.</param>
    /// <param name="achievedShare">The share of their rates that the other runs achieved.</param>
    public static LimitReport Build(
        RunReport failing, string? until = null, LimitEnd end = LimitEnd.Refined, LimitDoubt? doubt = null, double achievedShare = 1)
    {
        var spec = Spec with { Limit = Spec.Limit! with { Until = until } };
        var condition = LimitCondition.From(spec.Limit);
        var measurements = new List<MeasuredRun>();
        var reports = new Dictionary<string, RunReport>();
        foreach (var (rate, repeat) in new[] { (100.0, 1), (993.2, 1), (1_037.0, 1), (993.2, 2), (1_037.0, 2) })
        {
            var id = ExperimentIds.OfRun("orders", rate, repeat);
            reports[id] = rate == 1_037 ? failing : Run(rate, achievedShare * rate);
            measurements.Add(condition.Judge(new MeasuredRun { Rate = rate, Repeat = repeat, RunId = id }, reports[id]));
        }

        var ending = new ExperimentEnding
        {
            Spec = spec, StartedAt = RunSample.Start, FinishedAt = RunSample.Start.AddMinutes(3), Runs = measurements,
            Stopped = end == LimitEnd.Stopped,
        };
        var decision = new LimitDecision(new LimitBracket(993.2, 1_037, 0.95), end) { Doubt = doubt, Fit = Fit };
        return LimitReportBuilder.Build(ending, decision, reports);
    }
}
