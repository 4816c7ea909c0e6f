namespace ScaleOut.Analysis.Reports;

/// <summary>
/// The seconds of a report on one axis from which interruptions are left out. <see cref="RunReport.Series"/> has
/// no entry for a second in which nothing happened; here such a second counts with zeros.
/// </summary>
internal sealed class ReportTimeline
{
    private readonly SecondSet _stretches;
    private readonly long[] _starts;
    private readonly long[] _entries;

    private ReportTimeline(IReadOnlyList<long> entries, SecondSet stretches, SecondSet overlap)
    {
        _entries = [.. entries];
        _stretches = stretches;
        _starts = new long[stretches.Ranges.Count];
        for (var i = 1; i < _starts.Length; i++)
            _starts[i] = _starts[i - 1] + stretches.Ranges[i - 1].Count;
        OverlapSeconds = overlap;
        Positions = [.. _entries.Select(PositionOf)];
        Overlap = [.. overlap.Ranges.SelectMany(range => Clip(range))];
    }

    /// <summary>Length of the axis.</summary>
    public int Seconds => checked((int)_stretches.Count);

    /// <summary>Where each entry of the series lies on the axis, in seconds from its beginning.</summary>
    public IReadOnlyList<int> Positions { get; }

    /// <summary>The overlap window on the axis.</summary>
    public IReadOnlyList<(int From, int To)> Overlap { get; }

    /// <summary>Where interruptions are left out of the axis.</summary>
    public IReadOnlyList<int> Cuts => [.. _starts.Skip(1).Select(start => (int)start)];

    private SecondSet OverlapSeconds { get; }

    /// <summary>The timeline of a report.</summary>
    public static ReportTimeline From(RunReport report)
    {
        var entries = report.Series.Select(point => UtcSeconds.Floor(point.Second)).ToList();
        return new(entries, SetOf(report.Stretches), SetOf(report.Overlap));
    }

    /// <summary>A figure in the seconds of the overlap window, in their order.</summary>
    /// <param name="perEntry">Its values by entry of the series.</param>
    public IReadOnlyList<double> InOverlap(IReadOnlyList<double> perEntry) => In(OverlapSeconds, perEntry);

    /// <summary>A figure in all seconds of the axis, in their order.</summary>
    /// <param name="perEntry">Its values by entry of the series.</param>
    public IReadOnlyList<double> OnAxis(IReadOnlyList<double> perEntry) => In(_stretches, perEntry);

    /// <summary>Where an instant lies on the axis, in whole seconds from its beginning.</summary>
    public int At(DateTimeOffset instant) => PositionOf(UtcSeconds.Floor(instant));

    private double[] In(SecondSet seconds, IReadOnlyList<double> perEntry)
    {
        var entry = 0;
        return [.. seconds.Select(second =>
        {
            while (entry < _entries.Length && _entries[entry] < second)
                entry++;
            return entry < _entries.Length && _entries[entry] == second ? perEntry[entry] : 0;
        })];
    }

    private static SecondSet SetOf(IEnumerable<TimeStretch> stretches) =>
        SecondSet.From(stretches.Select(stretch => new SecondRange(UtcSeconds.Floor(stretch.From), UtcSeconds.Floor(stretch.To))));

    /// <summary>A second outside the axis is shown at the nearest second of the axis.</summary>
    private int PositionOf(long second)
    {
        for (var i = 0; i < _starts.Length; i++)
        {
            var range = _stretches.Ranges[i];
            if (second < range.To || i == _starts.Length - 1)
                return checked((int)(_starts[i] + Math.Clamp(second, range.From, range.To - 1) - range.From));
        }

        return 0;
    }

    private IEnumerable<(int From, int To)> Clip(SecondRange range) =>
        _stretches.Intersect(SecondSet.From([range])).Ranges.Select(part => (PositionOf(part.From), PositionOf(part.To - 1) + 1));
}

/// <summary>Whole UTC seconds of a run, one after the other.</summary>
/// <param name="From">Start of the first second.</param>
/// <param name="To">End of the last second.</param>
public sealed record TimeStretch(DateTimeOffset From, DateTimeOffset To);

/// <summary>
/// A time in which a run was interrupted: no leg of any worker has a result in it. It is in no rate, window, bound or chart.
/// </summary>
/// <param name="From">End of the last leg before it.</param>
/// <param name="To">Start of the first leg after it.</param>
/// <param name="ResumedAt">When a new program resumed the run; null if none is noted, as when a host or machine stood still.</param>
public sealed record Interruption(DateTimeOffset From, DateTimeOffset To, DateTimeOffset? ResumedAt = null);

/// <summary>What all workers did in one whole UTC second; operations count in the second in which they ended.</summary>
public sealed record SeriesPoint
{
    /// <summary>Start of the second, UTC.</summary>
    public required DateTimeOffset Second { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>Whether all workers were at work in it, so that it counts for <see cref="ThroughputReport.OverlapPerSecond"/>.</summary>
    public required bool Overlap { get; init; }

    /// <summary>
    /// Percentiles of the operations that ended in it without failing, of all workers' counts together, off by at most 1/16; null without
    /// any.
    /// </summary>
    public LatencyBand? LatencyMs { get; init; }

    /// <summary><see cref="ReportedRequests.ErrorsByStatus"/> of the second; null without any.</summary>
    public IReadOnlyDictionary<string, long>? Errors { get; init; }
}

/// <summary>Latencies of one second, ms.</summary>
public sealed record LatencyBand(double P50, double P95, double P99);

/// <summary>
/// Groups the seconds of long runs into bins, so that a chart has a limited number of points. Each bin shows the mean of its seconds.
/// </summary>
internal sealed class TimeBins
{
    public TimeBins(int seconds, int maxBins)
    {
        Seconds = seconds;
        SecondsPerBin = Math.Max(1, (seconds + maxBins - 1) / maxBins);
        Count = (seconds + SecondsPerBin - 1) / SecondsPerBin;
    }

    public int Seconds { get; }

    public int SecondsPerBin { get; }

    public int Count { get; }

    /// <summary>Start of each bin, in seconds.</summary>
    public IReadOnlyList<double> Starts => [.. Enumerable.Range(0, Count).Select(bin => (double)Start(bin))];

    /// <summary>Start of a bin, in seconds; for <see cref="Count"/> the end of the last one.</summary>
    public int Start(int bin) => Math.Min(bin * SecondsPerBin, Seconds);

    /// <summary>Mean of each bin over all of its seconds.</summary>
    /// <param name="positions">Seconds that have a value, from the beginning; the others count 0.</param>
    public double[] Means(IReadOnlyList<int> positions, IReadOnlyList<double> values)
    {
        var means = new double[Count];
        for (var i = 0; i < positions.Count; i++)
            means[positions[i] / SecondsPerBin] += values[i];
        for (var bin = 0; bin < Count; bin++)
            means[bin] /= Start(bin + 1) - Start(bin);
        return means;
    }
}
