namespace ScaleOut.Measurement;

/// <summary>One worker's per-second figures on the run's axis: the samples of its legs added up, 0 where it measured nothing.</summary>
public sealed class WorkerSeries
{
    /// <summary>Adds up the samples of the worker's legs.</summary>
    public WorkerSeries(SecondRange axis, IEnumerable<LegResult> legs)
    {
        ArgumentNullException.ThrowIfNull(legs);
        Axis = axis;
        Inserted = new long[axis.Count];
        Throttled = new long[axis.Count];
        Failed = new long[axis.Count];
        RequestUnits = new double[axis.Count];
        CpuSeconds = new double[axis.Count];
        foreach (var sample in legs.SelectMany(leg => leg.Seconds))
        {
            var i = axis.IndexOf(sample.Second);
            Inserted[i] += sample.Inserted;
            Throttled[i] += sample.Throttled;
            Failed[i] += sample.Failed;
            RequestUnits[i] += sample.RequestUnits;
            CpuSeconds[i] += sample.CpuSeconds;
        }
    }

    public SecondRange Axis { get; }

    /// <summary>Documents.</summary>
    public long[] Inserted { get; }

    /// <summary>Attempts answered 429.</summary>
    public long[] Throttled { get; }

    /// <summary>Documents.</summary>
    public long[] Failed { get; }

    /// <summary>RU charged to the workload.</summary>
    public double[] RequestUnits { get; }

    /// <summary>CPU time of the worker's process.</summary>
    public double[] CpuSeconds { get; }

    /// <summary>Documents inserted in the given seconds.</summary>
    public long InsertedIn(IEnumerable<long> seconds)
    {
        ArgumentNullException.ThrowIfNull(seconds);
        return seconds.Where(second => second >= Axis.First && second < Axis.First + Axis.Count).Sum(second => Inserted[Axis.IndexOf(second)]);
    }
}
