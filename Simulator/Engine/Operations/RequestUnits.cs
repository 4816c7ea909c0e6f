namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>
/// An amount of request units in whole hundredths, the resolution in which the service states a charge, so that sums are exact.
/// </summary>
public readonly record struct RequestUnits(long Hundredths)
{
    public static readonly RequestUnits Zero;

    public double Value => Hundredths / 100.0;

    /// <summary>Rounds to two decimals, halves away from zero.</summary>
    public static RequestUnits From(double value) => new((long)Math.Round(value * 100, MidpointRounding.AwayFromZero));

    public static RequestUnits operator +(RequestUnits left, RequestUnits right) => new(left.Hundredths + right.Hundredths);

    public static RequestUnits operator *(RequestUnits amount, int factor) => new(amount.Hundredths * factor);
}
