using System.Text.Json.Serialization;

namespace ScaleOut.Analysis.Statistics;

/// <summary>The Universal Scalability Law: X(N) = gamma N / (1 + alpha (N - 1) + beta N (N - 1)).</summary>
/// <param name="Alpha">Contention: the share of the work that is serial, 0 and more.</param>
/// <param name="Beta">Coherency: the cost of each pair of workers' crosstalk, 0 and more.</param>
/// <param name="Gamma">Rate of one worker, above 0.</param>
public sealed record ScalabilityLaw(double Alpha, double Beta, double Gamma)
{
    /// <summary>Workers N* from which more of them lower the rate, 1 and more; null when more always add (beta = 0).</summary>
    public double? PeakWorkers => Alpha >= 1 ? 1 : Beta > 0 ? Math.Max(1, Math.Sqrt((1 - Alpha) / Beta)) : null;

    /// <summary>
    /// The most that any number of workers can do: the rate at the peak, gamma / alpha without coherency cost; null without either, where
    /// there is no limit.
    /// </summary>
    public double? Limit => PeakWorkers is { } peak ? RateAt(peak) : Alpha > 0 ? Gamma / Alpha : null;

    /// <summary>Rate of so many workers.</summary>
    /// <param name="workers">1 and more; need not be whole.</param>
    public double RateAt(double workers) => Gamma * workers * EfficiencyAt(workers);

    /// <summary>Rate of so many workers over that many times the rate of one, above 0, at most 1.</summary>
    public double EfficiencyAt(double workers) => 1 / (1 + (Alpha * (workers - 1)) + (Beta * workers * (workers - 1)));

    /// <summary>Fewest workers that reach a rate, not rounded, 1 and more; null when none can.</summary>
    public double? WorkersFor(double rate)
    {
        if (rate <= Gamma)
            return 1;
        // beta r N^2 - (gamma - alpha r + beta r) N + (1 - alpha) r = 0; its smaller root.
        var (a, b, c) = (Beta * rate, Gamma - (Alpha * rate) + (Beta * rate), (1 - Alpha) * rate);
        var discriminant = (b * b) - (4 * a * c);
        if (b <= 0 || c <= 0 || discriminant < 0)
            return null;
        return Math.Max(1, 2 * c / (b + Math.Sqrt(discriminant)));
    }
}

/// <summary>The mean of what was measured with one number of workers.</summary>
/// <param name="Workers">1 and more.</param>
/// <param name="Rate">Mean rate.</param>
/// <param name="Weight">What the square of a rate that the law misses counts with.</param>
/// <param name="Count">How many rates it is the mean of.</param>
internal readonly record struct ScalabilityLevel(double Workers, double Rate, double Weight, int Count = 1);

/// <summary>One measured rate of a number of workers.</summary>
/// <param name="Workers">1 and more.</param>
/// <param name="Rate">Per second, above 0.</param>
/// <param name="LeftOut">Why the fit leaves it out, such as <c>bound by request units</c>; null when it is used.</param>
public sealed record ScalabilityPoint(int Workers, double Rate, string? LeftOut = null);

/// <summary>What a fitted law says of a number of workers.</summary>
/// <param name="Workers">How many.</param>
/// <param name="Rate">Their rate together.</param>
/// <param name="Interval95">95% interval of the mean rate; single runs scatter around it.</param>
/// <param name="Extrapolated">Whether it is more workers than any that were measured.</param>
public sealed record ScalabilityPrediction(int Workers, double Rate, Interval Interval95, bool Extrapolated);

/// <summary>Which parameters of the scalability law a solution may vary beside gamma; the others are held at 0.</summary>
[Flags]
internal enum FreeParameters
{
    None = 0,
    Alpha = 1,
    Beta = 2,
    Both = Alpha | Beta,
}
