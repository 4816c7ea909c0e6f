namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Rates of a run and of each of its workers, over the same overlap window, so that the workers' rates add up to the run's.
/// </summary>
internal static class RunRates
{
    public static ThroughputReport Throughput(MergedRun run) => WithBytes(
        run.Legs,
        Throughput(
            run.Workers.Sum(worker => worker.Inserted), run.Times.Makespan, run.Total.InsertedIn(run.Window.Seconds), run.Window)) with
    {
        AskedPerSecond = Asked(run, run.Workers),
    };

    public static ThroughputReport Throughput(MergedRun run, WorkerLegs worker) => WithBytes(
        worker.Legs,
        Throughput(worker.Inserted, run.MakespanOf(worker), run.Series[worker.Index].InsertedIn(run.Window.Seconds), run.Window)) with
    {
        AskedPerSecond = Asked(run, [worker]),
    };

    /// <summary>Null if a worker has no rate of its own.</summary>
    private static double? Asked(MergedRun run, IReadOnlyList<WorkerLegs> workers) =>
        run.Spec.Workload.Steps is null && workers.All(worker => worker.Settings.Rate is not null)
            ? workers.Sum(worker => worker.Settings.Rate)
            : null;

    public static RequestUnitReport RequestUnits(MergedRun run) =>
        RequestUnits(run, run.Legs, run.Total) with { BudgetPerSecond = run.Ending.Container?.BudgetPerSecond };

    public static RequestUnitReport RequestUnits(MergedRun run, WorkerLegs worker) =>
        RequestUnits(run, worker.Legs, run.Series[worker.Index]);

    private static ThroughputReport Throughput(long inserted, TimeSpan? makespan, long insertedInWindow, OverlapWindow window) => new()
    {
        MakespanPerSecond = makespan is { } time ? Rounding.Ratio(inserted, time.TotalSeconds) : null,
        MakespanSeconds = makespan is { } lasted ? Math.Round(lasted.TotalSeconds, 3) : null,
        OverlapPerSecond = window.IsUsable ? Rounding.Ratio(insertedInWindow, window.Seconds.Count) : null,
        OverlapSeconds = checked((int)window.Seconds.Count),
    };

    /// <summary>Bytes are counted over the whole run, so the rate has their mean size.</summary>
    private static ThroughputReport WithBytes(IReadOnlyList<LegResult> legs, ThroughputReport rates)
    {
        return rates with { KilobytesPerSecond = Rounding.Amount(rates.Rate * ReportCounts.DocumentBytes(legs) / 1000) };
    }

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
