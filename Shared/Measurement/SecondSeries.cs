namespace ScaleOut.Measurement;

/// <summary>
/// Sums of the legs' samples, second by second. Only seconds with samples are stored.
/// </summary>
public sealed class SecondSeries
{
    private readonly SortedList<long, SecondTotals> _seconds = [];

    public SecondSeries(IEnumerable<LegResult> legs)
    {
        foreach (var sample in legs.SelectMany(leg => leg.Seconds))
        {
            var sum = At(sample.Second);
            _seconds[sample.Second] = new SecondTotals(sum.Counts + sample.Counts, sum.CpuSeconds + sample.CpuSeconds);
        }
    }

    /// <summary>Sums by ascending second.</summary>
    public IReadOnlyDictionary<long, SecondTotals> Seconds => _seconds;

    /// <summary>The sums of a second; zeros if it has no sample.</summary>
    public SecondTotals At(long second) => _seconds.TryGetValue(second, out var sum) ? sum : default;

    public long InsertedIn(NumberSet seconds) => In(seconds).Sum(sum => sum.Counts.Inserted);

    public double RequestUnitsIn(NumberSet seconds) => In(seconds).Sum(sum => sum.Counts.RequestUnits);

    public double CpuSecondsIn(NumberSet seconds) => In(seconds).Sum(sum => sum.CpuSeconds);

    private IEnumerable<SecondTotals> In(NumberSet seconds) =>
        _seconds.Where(entry => seconds.Contains(entry.Key)).Select(entry => entry.Value);
}

/// <param name="CpuSeconds">CPU time of the workers' processes.</param>
public readonly record struct SecondTotals(Counts Counts, double CpuSeconds);
