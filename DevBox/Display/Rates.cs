namespace ScaleOut.DevBox.Display;

/// <summary>What is counted per second.</summary>
internal readonly record struct Rates(double Documents, double Throttled, double RequestUnits)
{
    public static Rates operator +(Rates left, Rates right) =>
        new(left.Documents + right.Documents, left.Throttled + right.Throttled, left.RequestUnits + right.RequestUnits);
}
