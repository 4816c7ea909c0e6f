using MathNet.Numerics;
using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Statistics;

/// <summary>A closed interval of values, such as a confidence interval.</summary>
public readonly record struct Interval(double Low, double High)
{
    /// <summary>Ratio of upper to lower end above which an interval only shows that there are too few repeats.</summary>
    private const double MaxFactor = 10;

    /// <summary>The interval of a value about which nothing is known.</summary>
    public static readonly Interval Any = new(double.NegativeInfinity, double.PositiveInfinity);

    /// <summary>Whether it is too wide to say anything about a positive value, as the interval of two noisy repeats is.</summary>
    [JsonIgnore]
    public bool IsTooWide => Low >= 0 && High > MaxFactor * Low;

    public bool Contains(double value) => value >= Low && value <= High;

    public bool LiesAbove(double value) => Low > value;

    public bool LiesBelow(double value) => High < value;

    public bool LiesWithin(Interval other) => Low >= other.Low && High <= other.High;

    /// <summary>Both ends times a positive factor.</summary>
    public Interval Times(double factor) => new(Low * factor, High * factor);

    /// <summary>The interval of 1 / x, for positive ends.</summary>
    public Interval Inverse() => new(1 / High, 1 / Low);
}

/// <summary>Intervals from a few repeats of a positive figure.</summary>
public static class RepeatIntervals
{
    /// <summary>The confidence interval of the geometric mean, by Student's t on the logarithms.</summary>
    /// <param name="values">Above 0.</param>
    /// <param name="confidence">Above 0 and below 1. Default 0.95.</param>
    /// <returns>Null for fewer than 2 values.</returns>
    public static Interval? OfMean(IReadOnlyList<double> values, double confidence = RatioEffect.DefaultConfidence)
    {
        var sample = LogSample.From(values);
        if (sample.Count < RatioEffect.MinValues)
            return null;
        var reach = StudentQuantile.At(sample.Count - 1, confidence) * Math.Sqrt(sample.Variance * (1.0 / sample.Count));
        return new Interval(sample.GeometricMean * Math.Exp(-reach), sample.GeometricMean * Math.Exp(reach));
    }
}

/// <summary>
/// Two-sided quantiles of Student's t. The verdicts of one experiment take thousands of them, and the library's <c>StudentT.InvCDF</c>
/// evaluates the distribution about fifty times for each. It also searches only from -800 to 800, which a high confidence with few degrees
/// of freedom exceeds.
/// </summary>
internal static class StudentQuantile
{
    /// <summary>Change of ln t below which the search ends: the next change, about its square, would be beyond a double's digits.</summary>
    private const double Settled = 1e-9;

    /// <summary>Largest number of steps. Usually 3 to 6 are enough.</summary>
    private const int MaxSteps = 50;

    /// <summary>Keeps the first value within the range of a double.</summary>
    private const double MaxExponent = 500;

    /// <summary>The value that |t| exceeds with a probability of 1 - confidence.</summary>
    /// <param name="freedom">Degrees of freedom, above 0; need not be whole.</param>
    /// <param name="confidence">Above 0 and below 1.</param>
    public static double At(double freedom, double confidence) => Above(freedom, (1 - confidence) / 2);

    /// <summary>
    /// The value above which a tail of less than one half lies. It takes Newton's steps on logarithms, where a far tail is nearly a line.
    /// </summary>
    private static double Above(double freedom, double tail)
    {
        var half = freedom / 2;
        var lnScale = SpecialFunctions.BetaLn(half, 0.5) + (0.5 * Math.Log(freedom));
        var t = Start(freedom, tail);
        for (var step = 0; step < MaxSteps; step++)
        {
            var square = t * t / freedom;
            // The smaller part is the more precise one: near the middle that is the part between 0 and t, far out it is the tail.
            var reached = t < 1
                ? 0.5 * (1 - SpecialFunctions.BetaRegularized(0.5, half, square / (1 + square)))
                : 0.5 * SpecialFunctions.BetaRegularized(half, 0.5, 1 / (1 + square));
            var density = Math.Exp(-((half + 0.5) * Math.Log(1 + square)) - lnScale);
            var change = Math.Log(reached / tail) * reached / (t * density);
            t *= Math.Exp(change);
            if (Math.Abs(change) < Settled)
                break;
        }

        return t;
    }

    /// <summary>Wallace's approximation by the normal distribution: some per cent off near the middle, more in far tails.</summary>
    private static double Start(double freedom, double tail)
    {
        var normal = Normal.InvCDF(0, 1, tail);
        var share = ((8 * freedom) + 3) / ((8 * freedom) + 1);
        var exponent = normal * normal * share * share / freedom;
        // This is exp(x) - 1. For a tiny x, rounding would make that 0, so x itself is used.
        return Math.Sqrt(freedom * (exponent < 1e-8 ? exponent : Math.Exp(Math.Min(exponent, MaxExponent)) - 1));
    }
}
