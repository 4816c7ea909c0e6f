using ScaleOut.Profiles;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Service times in Direct: the median on an idle partition, its growth with load, size and batch, and the distribution around it.
/// </summary>
internal sealed class ServiceEstimator
{
    private readonly List<AccountLatency> _samples;
    private readonly Uncertain _way;
    private readonly Dictionary<LatencyKind, Uncertain> _medians = [];

    /// <param name="samples">Of operations that were served in Direct.</param>
    /// <param name="way">What a response takes that has no service time.</param>
    public ServiceEstimator(List<AccountLatency> samples, Uncertain way)
    {
        (_samples, _way) = (samples, way);
        List<Uncertain> factors = [];
        foreach (var kind in Enum.GetValues<LatencyKind>())
            FitLoad(kind, factors);
        LoadFactor = factors.Count == 0 ? null : Uncertain.Pool(factors);
        FitSlopes();
    }

    public Uncertain? LoadFactor { get; }

    public MeasuredFigure? PerKilobyteMs { get; private set; }

    public MeasuredFigure? PerBatchOperationMs { get; private set; }

    /// <summary>The distribution of a kind's service time; null where it was not measured.</summary>
    public ServiceFigures? Figures(LatencyKind kind)
    {
        if (!_medians.TryGetValue(kind, out var median))
            return null;
        if (median.Value <= 0)
            return new ServiceFigures { MedianMs = median.ToTime() };
        var factors = Factors(kind, one => one.Ms);
        var shifted = Factors(kind, one => one.ShiftedMs);
        var (shape, shiftedShape) = (TailMixture.Fit(factors), TailMixture.Fit(shifted));
        return new ServiceFigures
        {
            MedianMs = median.ToTime(),
            LogStandardDeviation = Widened(shape?.LogStandardDeviation, shiftedShape?.LogStandardDeviation.Value),
            TailShare = Widened(shape?.TailShare, shiftedShape?.TailShare.Value),
            TailFactor = Widened(shape?.TailFactor, shiftedShape?.TailFactor?.Value),
            Quantiles =
            [
                .. from probability in LatencyEstimator.Probabilities
                   let factor = Widened(
                       OrderStatistics.Quantile(factors, probability),
                       shifted.Count > 0 ? OrderStatistics.ValueAt(shifted, probability) : null)
                   where factor is not null
                   select new QuantileFigure(probability, Times(factor, median)),
            ],
        };
    }

    /// <summary>
    /// A figure with a wider interval: half of its difference to what it was before the client's own time was taken off is a standard
    /// error of its own, as of <see cref="Uncertain.CorrectedTo"/>.
    /// </summary>
    private static MeasuredFigure? Widened(MeasuredFigure? figure, double? before)
    {
        if (figure is null)
            return null;
        var reach = Confidence.Normal95 * ((before ?? figure.Value) - figure.Value) / 2;
        return figure with
        {
            Low = Math.Max(0, figure.Value - Math.Sqrt(Square(figure.Value - figure.Low) + Square(reach))),
            High = figure.Value + Math.Sqrt(Square(figure.High - figure.Value) + Square(reach)),
        };
    }

    /// <summary>A factor's interval and the median's, each on its own side, as independent errors add.</summary>
    private static MeasuredFigure Times(MeasuredFigure factor, Uncertain median)
    {
        var (value, reach) = (factor.Value * median.Value, factor.Value * Confidence.Normal95 * median.StandardError);
        return new MeasuredFigure(
            value,
            Math.Max(0, value - Math.Sqrt(Square((factor.Value - factor.Low) * median.Value) + Square(reach))),
            value + Math.Sqrt(Square((factor.High - factor.Value) * median.Value) + Square(reach)),
            factor.Count);
    }

    private static double Square(double value) => value * value;

    /// <summary>Service times over their median, ascending: each level of load by its own, so that all of them show the shape.</summary>
    private IReadOnlyList<double> Factors(LatencyKind kind, Func<AccountLatency, IReadOnlyList<double>> latencies) =>
        OrderStatistics.Sorted(
            from sample in Levels(kind)
            let own = sample.Median.Value - _way.Value
            where own > 0
            from ms in latencies(sample)
            where ms > _way.Value
            select (ms - _way.Value) / own);

    private IEnumerable<AccountLatency> Levels(LatencyKind kind) => _samples.Where(one => one.Sample.Kind == kind && one.IsSmall);

    /// <summary>The median over the square of the utilization: its value at 0, and the slope as a share of that.</summary>
    private void FitLoad(LatencyKind kind, List<Uncertain> factors)
    {
        var levels = Levels(kind).ToList();
        if (levels.Count == 0)
            return;
        var services = levels.Select(level => level.Median - _way).ToList();
        // A way without spread leaves the medians theirs; equal latencies throughout have none at all.
        var variances = services.Select(service => Math.Max(service.Variance, 1e-12)).ToList();
        var fit = LinearFit.From(
            [.. levels.Select(level => new[] { 1, Square(level.Sample.Utilization) })], [.. services.Select(service => service.Value)],
            variances);
        var count = levels.Sum(level => (long)level.Ms.Count);
        if (fit is null || levels.Count < 2 || fit[0] <= 0)
        {
            _medians[kind] = services.MinBy(service => service.Variance);
            return;
        }

        _medians[kind] = new Uncertain(fit[0], fit.Variance(0), count);
        var factor = fit[1] / fit[0];
        // By the delta method; that both have their errors from the same medians makes the factor's larger, not smaller.
        var variance = (fit.Variance(1) + (factor * factor * fit.Variance(0)) - (2 * factor * fit.Covariance(0, 1))) / Square(fit[0]);
        factors.Add(new Uncertain(factor, variance, count));
    }

    /// <summary>
    /// Medians of larger documents and of batches over KB and operations beyond the first, in one fit, because a batch grows by both.
    /// </summary>
    private void FitSlopes()
    {
        List<double[]> rows = [];
        List<(double Value, double Variance)> values = [];
        foreach (var (kind, median) in _medians)
        {
            rows.Add([kind == LatencyKind.Write ? 1 : 0, kind == LatencyKind.Read ? 1 : 0, 0, 0]);
            values.Add((median.Value, Math.Max(median.Variance, 1e-12)));
        }

        long count = 0;
        foreach (var one in _samples.Where(one => _medians.ContainsKey(one.Sample.Kind) && !one.IsSmall))
        {
            var service = (one.Median - _way) / (1 + ((LoadFactor?.Value ?? 0) * Square(one.Sample.Utilization)));
            rows.Add(
            [
                one.Sample.Kind == LatencyKind.Write ? 1 : 0, one.Sample.Kind == LatencyKind.Read ? 1 : 0,
                Math.Max(0, one.Sample.Kilobytes - 1), one.Sample.Operations - 1,
            ]);
            values.Add((service.Value, Math.Max(service.Variance, 1e-12)));
            count += one.Ms.Count;
        }

        // Unknowns that no sample depends on are left out: what is not measured has no figure.
        List<int> unknowns = [.. Enumerable.Range(0, 4).Where(unknown => rows.Exists(row => row[unknown] != 0))];
        var fit = LinearFit.From(
            [.. rows.Select(row => unknowns.Select(unknown => row[unknown]).ToArray())], [.. values.Select(value => value.Value)],
            [.. values.Select(value => value.Variance)]);
        PerKilobyteMs = Slope(2);
        PerBatchOperationMs = Slope(3);

        MeasuredFigure? Slope(int unknown) => fit is not null && unknowns.IndexOf(unknown) is >= 0 and var place
            ? new Uncertain(fit[place], fit.Variance(place), count).ToTime()
            : null;
    }
}
