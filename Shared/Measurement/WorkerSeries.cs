namespace ScaleOut.Measurement;

/// <summary>
/// Per-second figures: the samples of legs added up. It holds only seconds that were sampled, however far apart they are.
/// </summary>
public sealed class WorkerSeries
{
    private readonly SortedList<long, SecondTotals> _seconds = [];

    /// <summary>Adds up the samples of legs.</summary>
    public WorkerSeries(IEnumerable<LegResult> legs)
    {
        foreach (var sample in legs.SelectMany(leg => leg.Seconds))
        {
            var sum = At(sample.Second);
            _seconds[sample.Second] = new SecondTotals(sum.Counts + sample.Counts, sum.CpuSeconds + sample.CpuSeconds);
        }
    }

    /// <summary>Ascending.</summary>
    public IReadOnlyDictionary<long, SecondTotals> Seconds => _seconds;

    /// <summary>Zeros for a second without a sample.</summary>
    public SecondTotals At(long second) => _seconds.TryGetValue(second, out var sum) ? sum : default;

    /// <summary>Documents inserted in some seconds.</summary>
    public long InsertedIn(SecondSet seconds) => In(seconds).Sum(sum => sum.Counts.Inserted);

    /// <summary>RU charged in some seconds.</summary>
    public double RequestUnitsIn(SecondSet seconds) => In(seconds).Sum(sum => sum.Counts.RequestUnits);

    /// <summary>CPU time in some seconds.</summary>
    public double CpuSecondsIn(SecondSet seconds) => In(seconds).Sum(sum => sum.CpuSeconds);

    private IEnumerable<SecondTotals> In(SecondSet seconds) =>
        _seconds.Where(entry => seconds.Contains(entry.Key)).Select(entry => entry.Value);
}

/// <summary>What was done in one second.</summary>
/// <param name="CpuSeconds">CPU time of the worker's process.</param>
public readonly record struct SecondTotals(Counts Counts, double CpuSeconds);
