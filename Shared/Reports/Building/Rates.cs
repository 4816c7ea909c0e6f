using ScaleOut.Measurement;

namespace ScaleOut.Reports.Building;

/// <summary>Rates of a run and of each of its workers, over the same overlap window, so that the workers' rates add up to the run's.</summary>
internal static class Rates
{
    public static ThroughputReport Throughput(MergedRun run) =>
        Throughput(run.Workers.Sum(worker => worker.Inserted), run.Makespan, run.Series.Sum(series => series.InsertedIn(run.Window.Seconds)), run.Window);

    public static ThroughputReport Throughput(MergedRun run, WorkerLegs worker) =>
        Throughput(worker.Inserted, worker.End - worker.Start, run.Series[worker.Index].InsertedIn(run.Window.Seconds), run.Window);

    public static RequestUnitReport RequestUnits(MergedRun run)
    {
        var perSecond = new double[run.Axis.Count];
        foreach (var series in run.Series)
        {
            for (var i = 0; i < perSecond.Length; i++)
                perSecond[i] += series.RequestUnits[i];
        }

        return RequestUnits(run, run.Legs, perSecond, run.Makespan) with { BudgetPerSecond = run.Ending.Container?.BudgetPerSecond };
    }

    public static RequestUnitReport RequestUnits(MergedRun run, WorkerLegs worker) =>
        RequestUnits(run, worker.Legs, run.Series[worker.Index].RequestUnits, worker.End - worker.Start);

    private static ThroughputReport Throughput(long inserted, TimeSpan? makespan, long insertedInWindow, OverlapWindow window) => new()
    {
        MakespanPerSecond = makespan is { } time ? Rounding.Ratio(inserted, time.TotalSeconds) : null,
        OverlapPerSecond = window.IsUsable ? Rounding.Ratio(insertedInWindow, window.Seconds.Count) : null,
        OverlapSeconds = window.Seconds.Count,
    };

    private static RequestUnitReport RequestUnits(MergedRun run, IReadOnlyList<LegResult> legs, double[] perSecond, TimeSpan? makespan)
    {
        var total = legs.Sum(leg => leg.RequestUnits);
        double? mean = run.Window.IsUsable ? Rounding.Ratio(run.Axis.SumOver(perSecond, run.Window.Seconds), run.Window.Seconds.Count)
            : makespan is { } time ? Rounding.Ratio(total, time.TotalSeconds)
            : null;
        return new()
        {
            Total = Rounding.Amount(total),
            PerInsert = Rounding.Ratio(total, legs.Sum(leg => leg.Output.Inserted)),
            PerOperation = Rounding.Ratio(total, legs.Sum(leg => leg.Operations)),
            Population = Rounding.Amount(legs.Sum(leg => leg.PopulationRequestUnits)),
            PerSecondMean = legs.Count > 0 ? mean : null,
            PerSecondPeak = legs.Count > 0 && perSecond.Length > 0 ? Rounding.Amount(perSecond.Max()) : null,
            Warmup = Rounding.Amount(legs.Sum(leg => leg.WarmupRequestUnits)),
        };
    }
}
