namespace ScaleOut.DevBox.Display;

/// <summary>What was counted up to some instant.</summary>
internal readonly record struct Totals(long Documents, long Throttled, double RequestUnits)
{
    public static Totals operator +(Totals left, Totals right) =>
        new(left.Documents + right.Documents, left.Throttled + right.Throttled, left.RequestUnits + right.RequestUnits);
}
