namespace ScaleOut.Statistics;

/// <summary>A closed interval of values, such as a confidence interval.</summary>
public readonly record struct Interval(double Low, double High)
{
    public bool Contains(double value) => value >= Low && value <= High;

    public bool LiesAbove(double value) => Low > value;

    public bool LiesBelow(double value) => High < value;

    public bool LiesWithin(Interval other) => Low >= other.Low && High <= other.High;

    /// <summary>Both ends times a positive factor.</summary>
    public Interval Times(double factor) => new(Low * factor, High * factor);

    /// <summary>The interval of 1 / x, for positive ends.</summary>
    public Interval Inverse() => new(1 / High, 1 / Low);
}
