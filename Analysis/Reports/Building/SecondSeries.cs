namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Sums of the legs' samples, second by second. Only seconds with samples are stored, and one sample is its own sum: a large run has a
/// million of them.
/// </summary>
internal sealed class SecondSeries
{
    private readonly SortedList<long, SecondSample> _seconds = [];

    public SecondSeries(IEnumerable<LegResult> legs)
    {
        foreach (var sample in legs.SelectMany(leg => leg.Seconds))
        {
            _seconds[sample.Second] = _seconds.TryGetValue(sample.Second, out var sum)
                ? new SecondSample
                {
                    Second = sample.Second, Counts = sum.Counts + sample.Counts, CpuSeconds = sum.CpuSeconds + sample.CpuSeconds,
                }
                : sample;
        }
    }

    /// <summary>Counts and CPU time by ascending second.</summary>
    public IReadOnlyDictionary<long, SecondSample> Seconds => _seconds;

    /// <summary>The sums of a second; zeros if it has no sample.</summary>
    public SecondSample At(long second) => _seconds.TryGetValue(second, out var sum) ? sum : new SecondSample { Second = second };

    public long InsertedIn(NumberSet seconds) => In(seconds).Sum(sum => sum.Counts.Inserted);

    public double RequestUnitsIn(NumberSet seconds) => Counts.Sum(In(seconds).Select(sum => sum.Counts)).RequestUnits.Value;

    public double CpuSecondsIn(NumberSet seconds) => In(seconds).Sum(sum => sum.CpuSeconds);

    private IEnumerable<SecondSample> In(NumberSet seconds) =>
        _seconds.Where(entry => seconds.Contains(entry.Key)).Select(entry => entry.Value);
}
