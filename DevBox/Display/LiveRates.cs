namespace ScaleOut.DevBox.Display;

/// <summary>What is counted per second.</summary>
internal readonly record struct LiveRates(double Documents, double Throttled, double RequestUnits)
{
    public static LiveRates operator +(LiveRates left, LiveRates right) =>
        new(left.Documents + right.Documents, left.Throttled + right.Throttled, left.RequestUnits + right.RequestUnits);
}
