namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// The Universal Scalability Law fitted to measured rates, with its intervals; or the reason why there is no fit.
/// </summary>
public sealed record ScalabilityFit
{
    /// <summary>Smallest number of different worker counts that a fit needs.</summary>
    public const int MinLevels = 5;

    private IReadOnlyList<ScalabilityLaw>? _resamples;

    /// <summary>Everything that was measured, in the order of workers, with the reason where a point is left out.</summary>
    public required IReadOnlyList<ScalabilityPoint> Points { get; init; }

    /// <summary>The law with the least squared error of the rates, each as a share of itself; null when there is no fit.</summary>
    public ScalabilityLaw? Law { get; init; }

    public string? Reason { get; init; }

    /// <summary>1 - (squared error of the law / squared deviation from the mean) of the level means; null without a fit.</summary>
    public double? RSquared { get; init; }

    /// <summary>95% interval of <see cref="ScalabilityLaw.Alpha"/>.</summary>
    public Interval? Alpha95 { get; init; }

    /// <summary>95% interval of <see cref="ScalabilityLaw.Beta"/>.</summary>
    public Interval? Beta95 { get; init; }

    /// <summary>95% interval of <see cref="ScalabilityLaw.Gamma"/>.</summary>
    public Interval? Gamma95 { get; init; }

    /// <summary>95% interval of <see cref="ScalabilityLaw.PeakWorkers"/>.</summary>
    public PeakInterval? Peak95 { get; init; }

    /// <summary>
    /// <see cref="ScalabilityLaw.PeakWorkers"/> if the measurements show that there is a peak; null if a law without one fits them, too.
    /// </summary>
    [JsonIgnore]
    public double? ShownPeak => Peak95?.High is null ? null : Law?.PeakWorkers;

    /// <summary><see cref="ScalabilityLaw.Limit"/> where the measurements show that there is one.</summary>
    [JsonIgnore]
    public double? ShownLimit => Law is not null && double.IsFinite(IntervalOf(law => law.Limit ?? double.PositiveInfinity).High)
        ? Law.Limit
        : null;

    /// <summary>Largest number of workers that the fit rests on; 0 without a usable point.</summary>
    [JsonIgnore]
    public int MaxWorkers => Points.Where(point => point.LeftOut is null).Select(point => point.Workers).DefaultIfEmpty().Max();

    /// <summary>
    /// Laws fitted to the measurements with added noise (<see cref="ScalabilityResampling"/>); empty without a fit. Equal points give equal
    /// laws.
    /// </summary>
    [JsonIgnore]
    public IReadOnlyList<ScalabilityLaw> Resamples => _resamples ??= Law is { } law ? ScalabilityResampling.Draw(law, Points) : [];

    /// <summary>Fits the law to all points that are not left out. Points with the same number of workers are repeats.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A point has no workers or no positive rate.</exception>
    public static ScalabilityFit From(IEnumerable<ScalabilityPoint> points)
    {
        var sorted = points.OrderBy(point => point.Workers).ToList();
        foreach (var point in sorted)
        {
            if (point.Workers < 1 || !(point.Rate > 0 && double.IsFinite(point.Rate)))
                throw new ArgumentOutOfRangeException(nameof(points), point, "a point needs a worker and a rate above 0");
        }

        var levels = ScalabilityResampling.LevelsOf(sorted);
        if (levels.Length < MinLevels)
            return new ScalabilityFit { Points = sorted, Reason = TooFew(levels.Length, sorted) };

        var law = ScalabilitySolver.Solve(levels);
        return new ScalabilityFit { Points = sorted, Law = law, RSquared = RSquaredOf(levels, law) }.WithIntervals();
    }

    /// <summary>
    /// The interval of a figure of the law, by the <see cref="Resamples"/>. They are too few for a confidence other than 95%, so the 95%
    /// interval is widened or narrowed as Student's t is.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is no fit.</exception>
    public Interval IntervalOf(Func<ScalabilityLaw, double> figure, double confidence = RatioEffect.DefaultConfidence)
    {
        if (Law is not { } law)
            throw new InvalidOperationException(Reason);
        var sorted = Resamples.Select(figure).Order().ToList();
        // Ranks are rounded outwards, because rounding them inwards would make the interval too narrow. Interpolation between ranks would
        // turn an infinite end into a number.
        var rank = (int)Math.Floor((1 - RatioEffect.DefaultConfidence) / 2 * (sorted.Count - 1));
        var interval = new Interval(sorted[rank], sorted[^(rank + 1)]);
        if (confidence == RatioEffect.DefaultConfidence)
            return interval;
        var (middle, stretch) = (figure(law), ScalabilityResampling.ReachOf(law, Points, confidence));
        return new Interval(middle - (stretch * (middle - interval.Low)), middle + (stretch * (interval.High - middle)));
    }

    private ScalabilityFit WithIntervals()
    {
        var peak = IntervalOf(law => law.PeakWorkers ?? double.PositiveInfinity);
        return this with
        {
            Alpha95 = IntervalOf(law => law.Alpha),
            Beta95 = IntervalOf(law => law.Beta),
            Gamma95 = IntervalOf(law => law.Gamma),
            Peak95 = new PeakInterval(Finite(peak.Low), Finite(peak.High)),
        };
    }

    private static double? Finite(double value) => double.IsFinite(value) ? value : null;

    private static double RSquaredOf(ScalabilityLevel[] levels, ScalabilityLaw law)
    {
        var mean = levels.Sum(level => level.Count * level.Rate) / levels.Sum(level => level.Count);
        var deviation = levels.Sum(level => level.Count * Square(level.Rate - mean));
        var error = levels.Sum(level => level.Count * Square(level.Rate - law.RateAt(level.Workers)));
        return deviation > 0 ? 1 - (error / deviation) : 0;
    }

    private static double Square(double value) => value * value;

    private static string TooFew(int usable, IEnumerable<ScalabilityPoint> points)
    {
        var leftOut = points.Where(point => point.LeftOut is not null).GroupBy(point => point.LeftOut!, StringComparer.Ordinal)
            .Select(group => $"{string.Join(", ", group.Select(point => point.Workers).Distinct())} ({group.Key})").ToList();
        var text = $"the fit needs {MinLevels} different numbers of workers, {usable} can be used";
        return leftOut.Count == 0 ? text : $"{text}; left out: {string.Join("; ", leftOut)}";
    }
}

/// <summary>The Universal Scalability Law: X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1)).</summary>
/// <param name="Alpha">Contention: the share of the work that is serial, 0 and more.</param>
/// <param name="Beta">Coherency: the cost of crosstalk for each pair of workers, 0 and more.</param>
/// <param name="Gamma">Rate of one worker, above 0.</param>
public sealed record ScalabilityLaw(double Alpha, double Beta, double Gamma)
{
    /// <summary>Number of workers N* with the highest rate, 1 and more; null when more workers always raise the rate (beta = 0).</summary>
    public double? PeakWorkers => Alpha >= 1 ? 1 : Beta > 0 ? Math.Max(1, Math.Sqrt((1 - Alpha) / Beta)) : null;

    /// <summary>
    /// Highest rate that any number of workers can reach: the rate at the peak, or gamma / alpha without coherency cost. Null if there is
    /// neither contention nor coherency cost, and so no limit.
    /// </summary>
    public double? Limit => PeakWorkers is { } peak ? RateAt(peak) : Alpha > 0 ? Gamma / Alpha : null;

    /// <summary>Rate of this many workers, in the unit of <see cref="Gamma"/>.</summary>
    /// <param name="workers">1 and more; need not be whole.</param>
    public double RateAt(double workers) => Gamma * workers * EfficiencyAt(workers);

    /// <summary>Rate of N workers / (N x the rate of one worker), above 0, at most 1.</summary>
    public double EfficiencyAt(double workers) => 1 / (1 + (Alpha * (workers - 1)) + (Beta * workers * (workers - 1)));
}

/// <summary>The mean of what was measured with one number of workers.</summary>
/// <param name="Workers">1 and more.</param>
/// <param name="Weight">Weight of the squared difference between the rate and the law.</param>
/// <param name="Count">Number of rates that <paramref name="Rate"/> is the mean of.</param>
internal readonly record struct ScalabilityLevel(double Workers, double Rate, double Weight, int Count = 1);

/// <summary>One measured rate of a number of workers.</summary>
/// <param name="Workers">1 and more.</param>
/// <param name="Rate">Per second, above 0.</param>
/// <param name="LeftOut">Why the fit leaves it out, such as <c>bound by request units</c>; null when it is used.</param>
public sealed record ScalabilityPoint(int Workers, double Rate, string? LeftOut = null);

/// <summary>Which parameters of the scalability law a solution may vary beside gamma; the others are held at 0.</summary>
[Flags]
internal enum FreeParameters
{
    None = 0,
    Alpha = 1,
    Beta = 2,
    Both = Alpha | Beta,
}
