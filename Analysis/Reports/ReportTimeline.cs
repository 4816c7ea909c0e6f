namespace ScaleOut.Analysis.Reports;

/// <summary>
/// The seconds of a report on one axis from which interruptions are left out. <see cref="RunReport.Series"/> has
/// no entry for a second in which nothing happened; here such a second counts with zeros. For a chart of a long run, whose points are
/// limited, neighbouring seconds share a bin.
/// </summary>
internal sealed class ReportTimeline
{
    private readonly NumberSet _stretches;
    private readonly long[] _starts;
    private readonly long[] _entries;

    private ReportTimeline(IReadOnlyList<long> entries, NumberSet stretches, NumberSet overlap, int maxBins)
    {
        _entries = [.. entries];
        _stretches = stretches;
        _starts = new long[stretches.Ranges.Count];
        for (var i = 1; i < _starts.Length; i++)
            _starts[i] = _starts[i - 1] + stretches.Ranges[i - 1].Count;
        OverlapSeconds = overlap;
        Positions = [.. _entries.Select(PositionOf)];
        Overlap = [.. overlap.Ranges.SelectMany(range => Clip(range))];
        SecondsPerBin = Math.Max(1, (int)Math.Ceiling((double)Seconds / maxBins));
        Bins = (Seconds + SecondsPerBin - 1) / SecondsPerBin;
    }

    /// <summary>Length of the axis.</summary>
    public int Seconds => checked((int)_stretches.Count);

    /// <summary>Where each entry of the series lies on the axis, in seconds from its beginning.</summary>
    public IReadOnlyList<int> Positions { get; }

    /// <summary>The overlap window on the axis.</summary>
    public IReadOnlyList<(int From, int To)> Overlap { get; }

    /// <summary>Where interruptions are left out of the axis.</summary>
    public IReadOnlyList<int> Cuts => [.. _starts.Skip(1).Select(start => (int)start)];

    public int SecondsPerBin { get; }

    public int Bins { get; }

    public IReadOnlyList<double> BinStarts => [.. Enumerable.Range(0, Bins).Select(bin => (double)BinStart(bin))];

    private NumberSet OverlapSeconds { get; }

    /// <param name="maxBins">Largest number of bins. Without it, each second has one.</param>
    public static ReportTimeline From(RunReport report, int maxBins = int.MaxValue)
    {
        var entries = report.Series.Select(point => UtcSeconds.Floor(point.Second)).ToList();
        return new(entries, SetOf(report.Stretches), SetOf(report.Overlap), maxBins);
    }

    /// <summary>A figure in the seconds of the overlap window, in their order.</summary>
    /// <param name="perEntry">Its values by entry of the series.</param>
    public IReadOnlyList<double> InOverlap(IReadOnlyList<double> perEntry) => In(OverlapSeconds, perEntry);

    /// <summary>A figure in all seconds of the axis, in their order.</summary>
    /// <param name="perEntry">Its values by entry of the series.</param>
    public IReadOnlyList<double> OnAxis(IReadOnlyList<double> perEntry) => In(_stretches, perEntry);

    /// <summary>Where an instant lies on the axis, in whole seconds from its beginning.</summary>
    public int At(DateTimeOffset instant) => PositionOf(UtcSeconds.Floor(instant));

    /// <summary>Start of a bin, in seconds; for <see cref="Bins"/> the end of the last one.</summary>
    public int BinStart(int bin) => Math.Min(bin * SecondsPerBin, Seconds);

    /// <summary>Mean of a figure in each bin over all of its seconds.</summary>
    /// <param name="perEntry">Its values by entry of the series.</param>
    public double[] Means(IReadOnlyList<double> perEntry)
    {
        var means = new double[Bins];
        for (var i = 0; i < Positions.Count; i++)
            means[Positions[i] / SecondsPerBin] += perEntry[i];
        for (var bin = 0; bin < Bins; bin++)
            means[bin] /= BinStart(bin + 1) - BinStart(bin);
        return means;
    }

    private double[] In(NumberSet seconds, IReadOnlyList<double> perEntry)
    {
        var entry = 0;
        return [.. seconds.Select(second =>
        {
            while (entry < _entries.Length && _entries[entry] < second)
                entry++;
            return entry < _entries.Length && _entries[entry] == second ? perEntry[entry] : 0;
        })];
    }

    private static NumberSet SetOf(IEnumerable<TimeRange> stretches) =>
        NumberSet.From(stretches.Select(stretch => stretch.WholeSeconds()));

    /// <summary>A second outside the axis is shown at the nearest second of the axis.</summary>
    private int PositionOf(long second)
    {
        for (var i = 0; i < _starts.Length; i++)
        {
            var range = _stretches.Ranges[i];
            if (second < range.End || i == _starts.Length - 1)
                return checked((int)(_starts[i] + Math.Clamp(second, range.First, range.End - 1) - range.First));
        }

        return 0;
    }

    private IEnumerable<(int From, int To)> Clip(NumberRange range) =>
        _stretches.Intersect(NumberSet.From([range])).Ranges.Select(part => (PositionOf(part.First), PositionOf(part.End - 1) + 1));
}

/// <summary>
/// A time in which a run was interrupted: no leg of any worker has a result in it. It is in no rate, window, bound or chart.
/// </summary>
/// <param name="From">End of the last leg before it.</param>
/// <param name="To">Start of the first leg after it.</param>
/// <param name="ResumedAt">
/// When a new program resumed the run; null if no resume was recorded, for example when a machine was suspended.
/// </param>
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
    /// Latency percentiles of all workers' operations that ended in this second without failing, with a relative error of at most 1/16.
    /// Null without such operations.
    /// </summary>
    public LatencyBand? LatencyMs { get; init; }

    /// <summary><see cref="ReportedRequests.ErrorsByStatus"/> of the second; null without any.</summary>
    public IReadOnlyDictionary<string, long>? Errors { get; init; }
}

/// <summary>Latencies of one second, ms.</summary>
public sealed record LatencyBand(double P50, double P95, double P99);
