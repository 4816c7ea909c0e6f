using ScaleOut.Measurement;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Reports.Building;

/// <summary>Everything that the parts of a report are made from: the legs by worker, their series on one axis, and the overlap window.</summary>
internal sealed class MergedRun
{
    public MergedRun(RunEnding ending, IReadOnlyList<LegResult> legs)
    {
        Ending = ending;
        Legs = legs;
        Workers = WorkerLegs.Of(ending.Spec, legs);
        Axis = SecondRange.Of(legs);
        Series = [.. Workers.Select(worker => new WorkerSeries(Axis, worker.Legs))];
        Partitions = PartitionMerge.Merge(legs, Axis);
        Window = OverlapWindow.Of([.. Workers.Select(worker => worker.Spans)], ending.Spec.Warmup);
        JudgedSeconds = Window.IsUsable ? Window.Seconds : SecondsWithoutWindow();
    }

    public RunEnding Ending { get; }

    public RunSpec Spec => Ending.Spec;

    public IReadOnlyList<LegResult> Legs { get; }

    public IReadOnlyList<WorkerLegs> Workers { get; }

    public SecondRange Axis { get; }

    /// <summary>By worker.</summary>
    public IReadOnlyList<WorkerSeries> Series { get; }

    public IReadOnlyList<MergedPartition> Partitions { get; }

    public OverlapWindow Window { get; }

    /// <summary>The seconds that say what bound the run: the overlap window when it is usable.</summary>
    public IReadOnlyList<long> JudgedSeconds { get; }

    /// <summary>From the first worker's start to the last one's end; null when nothing ran.</summary>
    public TimeSpan? Makespan => Workers.Max(worker => worker.End) - Workers.Min(worker => worker.Start);

    /// <summary>Budget of one partition, RU/s; null where the account does not tell.</summary>
    public double? BudgetOf(MergedPartition partition) => Ending.Container?.BudgetPerSecond / partition.Siblings;

    /// <summary>Whole seconds between the first start and the last end, without warm-up if any are left; all seconds measured when there is none.</summary>
    private long[] SecondsWithoutWindow()
    {
        if (Legs.Count == 0)
            return [];
        var start = Legs.Min(leg => leg.StartedAt);
        var end = UtcSeconds.Floor(Legs.Max(leg => leg.EndedAt));
        foreach (var from in new[] { UtcSeconds.Ceiling(start + Spec.Warmup), UtcSeconds.Ceiling(start) })
        {
            if (end > from)
                return Seconds(from, end - from);
        }

        return Seconds(Axis.First, Axis.Count);
    }

    private static long[] Seconds(long first, long count) => [.. Enumerable.Range(0, checked((int)count)).Select(i => first + i)];
}
