namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Rates of a run and of each of its workers, over the same overlap window, so that the workers' rates add up to the run's.
/// </summary>
internal static class RunRates
{
    public static ThroughputReport Throughput(MergedRun run) => Throughput(run, run.Workers, run.Legs, run.Times.Makespan);

    public static ThroughputReport Throughput(MergedRun run, WorkerLegs worker) =>
        Throughput(run, [worker], worker.Legs, run.MakespanOf(worker));

    private static ThroughputReport Throughput(
        MergedRun run, IReadOnlyList<WorkerLegs> workers, IReadOnlyList<LegResult> legs, TimeSpan? makespan)
    {
        var (inserted, window) = (workers.Sum(worker => worker.Inserted), run.Window);
        var inWindow = workers.Sum(worker => (double)run.Series[worker.Index].InsertedIn(window.Seconds));
        var due = workers.Sum(worker => InsertedOfDue(run, worker));
        var asked = workers.Select(worker => ScheduledRate(run, worker)).ToList();
        var rates = new ThroughputReport
        {
            MakespanPerSecond = makespan is { } time ? Rounding.Ratio(inserted, time.TotalSeconds) : null,
            MakespanSeconds = makespan is { } lasted ? Math.Round(lasted.TotalSeconds, 3) : null,
            OverlapPerSecond = window.IsUsable ? Rounding.Ratio(due, window.Seconds.Count) : null,
            OverlapSeconds = checked((int)window.Seconds.Count),
            CaughtUp = window.IsUsable ? (long)Math.Round(inWindow - due) : 0,
            AskedPerSecond = asked.TrueForAll(rate => rate is not null) ? asked.Sum() : null,
        };
        // Bytes are counted over the whole run, so the rate has their mean size.
        return rates with { KilobytesPerSecond = Rounding.Amount(rates.Rate * ReportCounts.DocumentBytes(legs) / 1000) };
    }

    /// <summary>
    /// What a worker inserted in the window, at most what its schedule has in that time. What is more was due before, in a pause that the
    /// window leaves out, such as a slow start.
    /// </summary>
    private static double InsertedOfDue(MergedRun run, WorkerLegs worker)
    {
        var inserted = (double)run.Series[worker.Index].InsertedIn(run.Window.Seconds);
        return ScheduledRate(run, worker) is { } rate ? Math.Min(inserted, rate * run.Window.Seconds.Count) : inserted;
    }

    /// <summary>Documents per second of a worker's schedule; null in a closed loop, and where steps have several rates.</summary>
    private static double? ScheduledRate(MergedRun run, WorkerLegs worker)
    {
        if (run.Spec.Workload.Steps is not { } steps)
            return worker.Settings.Rate;
        var rates = steps.Select(step => step.Rate).Distinct().ToList();
        return rates.Count == 1 ? rates[0] : null;
    }

    public static RequestUnitReport RequestUnits(MergedRun run) =>
        RequestUnits(run, run.Legs, run.Total) with { BudgetPerSecond = run.Ending.Container?.BudgetPerSecond };

    public static RequestUnitReport RequestUnits(MergedRun run, WorkerLegs worker) =>
        RequestUnits(run, worker.Legs, run.Series[worker.Index]);

    private static RequestUnitReport RequestUnits(MergedRun run, IReadOnlyList<LegResult> legs, WorkerSeries series)
    {
        // A table is charged by no RU, and 0 RU an insert would look like a measurement.
        if (run.Spec.Workload.Kind.UsesTables())
            return new RequestUnitReport { Total = 0, Opening = 0 };
        var total = legs.Sum(leg => leg.Counts.RequestUnits);
        // The seconds that say what bound the run, so that this and the share of the budget are one figure.
        double? mean = run.TimeErrors.Count == 0 && run.JudgedSeconds.Count > 0
            ? Rounding.Ratio(series.RequestUnitsIn(run.JudgedSeconds), run.JudgedSeconds.Count)
            : null;
        return new()
        {
            Total = Rounding.Amount(total),
            PerInsert = Rounding.Ratio(total, legs.Sum(leg => leg.Counts.Inserted)),
            PerOperation = Rounding.Ratio(total, legs.Sum(leg => leg.Operations)),
            Preload = Rounding.Amount(legs.Sum(leg => leg.PreloadRequestUnits)),
            PerSecondMean = legs.Count > 0 ? mean : null,
            PerSecondPeak = Rounding.Amount(series.Seconds.Values.Max(second => (double?)second.Counts.RequestUnits)),
            Opening = Rounding.Amount(legs.Sum(leg => leg.OpeningRequestUnits)),
        };
    }
}
