namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Merges the results of a run's legs into its report.</summary>
internal static class RunReportBuilder
{
    /// <summary>Largest number of failures that a report lists.</summary>
    public const int MaxFailures = 10;

    /// <summary>Builds the report; the same input gives the same report.</summary>
    /// <param name="legs">Results of the legs. May be empty, such as when the run could not start.</param>
    /// <param name="prices">Prices from which the cost is computed. Optional.</param>
    /// <exception cref="ArgumentException">The spec has no id.</exception>
    public static RunReport Build(RunEnding ending, RunLegs legs, PriceList? prices = null)
    {
        var run = new MergedRun(ending, legs);
        var documents = ReportCounts.Documents(ending.Spec.Workload, ending.Spec.Documents, legs.Results, ending.Verification?.Verified);
        var missing = DamagedEvidence.MissingLegs(ending.Spec, legs);
        var state = RunStateRule.From(ending, documents, missing, run.TimeErrors.Count > 0, run.StartedAt);
        var seconds = SeriesPoints.SecondsOf(run);
        var throughput = ReportRates.Throughput(run);
        var used = UtilizationOf.Run(run);
        var report = new RunReport
        {
            Id = ending.Spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(ending)),
            Name = ending.Spec.Name,
            State = state,
            Simulated = ending.Simulated,
            Emulated = ending.Container?.Emulated ?? false,
            Account = ending.Container?.Account,
            StartedAt = run.StartedAt,
            FinishedAt = ending.FinishedAt,
            Spec = ending.Spec,
            Documents = documents,
            Requests = ReportCounts.Requests(legs.Results),
            DocumentBytes = ReportCounts.DocumentBytes(legs.Results),
            ThrottledResponses = ReportCounts.ThrottledResponses(legs.Results),
            LostLegs = legs.LostLegs,
            Throughput = throughput,
            RequestUnits = ReportRates.RequestUnits(run),
            LatencyMs = Latencies.From(run),
            BoundBy = used is null || run.MeasuredNothing ? null : BoundByRule.Decide(used),
            Utilization = used,
            Delays = run.Delays,
            LayoutIsCapped = RunWarnings.LayoutOf(run) is not null,
            DistinctInstances = RunWarnings.InstancesOf(run),
            Cost = CostOf(run, prices, throughput.Rate),
            KeptIndexing = ending.Container?.KeptIndexing,
            Workers = WorkerReports.From(run, seconds),
            Partitions = PartitionReports.From(run, seconds),
            Steps = StepReports.From(run),
            Kinds = KindReport.From(ending.Spec.Workload, legs.Results, run.Makespan),
            Stretches = SeriesPoints.StretchesOf(run.Stretches),
            Overlap = SeriesPoints.StretchesOf(run.Window),
            Interruptions = run.Interruptions,
            TimeErrors = run.TimeErrors,
            Series = SeriesPoints.From(run, seconds),
            MissingLegs = missing,
            Failures = [.. legs.Results.SelectMany(leg => leg.Failures).Take(MaxFailures)],
            ThroughputChanges = ending.ThroughputChanges,
            StartedBy = legs.StartedBy,
            NotComparable = RunWarnings.NotComparable(run, legs.LostLegs),
        };
        return WithWarnings(report, run, legs);
    }

    private static RunReport WithWarnings(RunReport report, MergedRun run, RunLegs legs)
    {
        var invalid = RunWarnings.InvalidFiguresOf(run, report);
        return report with
        {
            Invalid = invalid,
            Warnings =
            [
                .. RunReasons.From(run.Ending, report),
                .. invalid.Select(one => one.Why),
                .. DamagedEvidence.Warnings(legs),
                .. RunWarnings.From(run, report),
            ],
        };
    }

    /// <summary>The cost includes interruptions, because the run's container is billed for as long as it exists.</summary>
    private static RunCost? CostOf(MergedRun run, PriceList? prices, double? perSecond) =>
        prices is null || run.Ending.Simulated || run.Legs.Count == 0 || run.TimeErrors.Count > 0
            ? null
            : RunCost.From(prices, [(run.Spec, Math.Max(0, (run.Ending.FinishedAt - run.StartedAt).TotalSeconds))]) with
            {
                StorePerMillion = RunCost.StorePerMillionAt(prices, run.Spec, perSecond),
            };
}
