namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Rates of a run and of each of its workers, over the same overlap window, so that the workers' rates add up to the run's.
/// </summary>
internal static class ReportRates
{
    public static ThroughputReport Throughput(MergedRun run) => Throughput(run, run.Workers, run.Legs, run.Makespan);

    public static ThroughputReport Throughput(MergedRun run, WorkerLegs worker) =>
        Throughput(run, [worker], worker.Legs, run.MakespanOf(worker));

    private static ThroughputReport Throughput(
        MergedRun run, IReadOnlyList<WorkerLegs> workers, IReadOnlyList<LegResult> legs, TimeSpan? makespan)
    {
        if (run.MeasuredNothing)
            return new ThroughputReport
            {
                OverlapSeconds = 0, MakespanSeconds = makespan is { } all ? Math.Round(all.TotalSeconds, 3) : null,
            };
        var (inserted, window) = (workers.Sum(worker => worker.Inserted), run.Window);
        var inWindow = workers.Sum(worker => (double)run.Series[worker.Index].InsertedIn(window));
        var due = workers.Sum(worker => InsertedOfDue(run, worker));
        var asked = workers.Select(worker => run.Spec.ScheduledRateOf(worker.Index)).ToList();
        var rates = new ThroughputReport
        {
            MakespanPerSecond = makespan is { } time ? Rounding.Ratio(inserted, time.TotalSeconds) : null,
            MakespanSeconds = makespan is { } lasted ? Math.Round(lasted.TotalSeconds, 3) : null,
            OverlapPerSecond = OverlapWindow.IsUsable(window) ? Rounding.Ratio(due, window.Count) : null,
            OverlapSeconds = checked((int)window.Count),
            CaughtUp = OverlapWindow.IsUsable(window) ? (long)Math.Round(inWindow - due) : 0,
            AskedPerSecond = asked.TrueForAll(rate => rate is not null) ? asked.Sum() : null,
        };
        // Bytes are counted over the whole run, so the rate uses the mean size of a document.
        return rates with { KilobytesPerSecond = Rounding.Amount(rates.Rate * ReportCounts.DocumentBytes(legs) / 1000) };
    }

    /// <summary>
    /// Number of documents that a worker inserted in the window, at most as many as its schedule has in that time. Documents beyond that
    /// number were due before the window, for example during a slow start.
    /// </summary>
    private static double InsertedOfDue(MergedRun run, WorkerLegs worker)
    {
        var inserted = (double)run.Series[worker.Index].InsertedIn(run.Window);
        return run.Spec.ScheduledRateOf(worker.Index) is { } rate ? Math.Min(inserted, rate * run.Window.Count) : inserted;
    }

    public static RequestUnitReport RequestUnits(MergedRun run) =>
        RequestUnits(run, run.Legs, run.Total) with { BudgetPerSecond = Rounding.Amount(run.MeanBudget) };

    public static RequestUnitReport RequestUnits(MergedRun run, WorkerLegs worker) =>
        RequestUnits(run, worker.Legs, run.Series[worker.Index]);

    private static RequestUnitReport RequestUnits(MergedRun run, IReadOnlyList<LegResult> legs, SecondSeries series)
    {
        // Tables are not charged in RU, and 0 RU per insert would look like a measurement.
        if (run.Spec.Workload.Kind.UsesTables())
            return new RequestUnitReport { Total = 0, Opening = 0 };
        var total = Counts.Sum(legs.Select(leg => leg.Counts));
        // The share of the budget is of the same seconds, so that the two figures agree.
        var mean = run.TimeErrors.Count == 0 && run.JudgedSeconds.Count > 0
            ? Rounding.Ratio(series.RequestUnitsIn(run.JudgedSeconds), run.JudgedSeconds.Count)
            : null;
        var measuring = legs.Where(run.HasMeasured).ToList();
        var measured = Counts.Sum(measuring.Select(leg => leg.Counts)).RequestUnits.Value;
        return new()
        {
            Total = Rounding.Amount(total.RequestUnits.Value),
            PerInsert = Rounding.Ratio(measured, measuring.Sum(leg => leg.Counts.Inserted)),
            PerOperation = Rounding.Ratio(measured, measuring.Sum(leg => leg.Operations)),
            Preload = Rounding.Amount(new RequestUnits(legs.Sum(leg => leg.PreloadRequestUnits.Parts)).Value),
            Throttled = Rounding.Amount(total.ThrottledRequestUnits.Value),
            PerSecondMean = legs.Count > 0 ? mean : null,
            PerSecondPeak = Rounding.Amount(series.Seconds.Values.Max(second => (double?)second.Counts.RequestUnits.Value)),
            Opening = Rounding.Amount(new RequestUnits(legs.Sum(leg => leg.OpeningRequestUnits.Parts)).Value),
        };
    }
}
