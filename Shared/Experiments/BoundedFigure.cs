namespace ScaleOut.Experiments;

/// <summary>A latency, a share or a number of errors of a run that the condition bounds from above.</summary>
/// <param name="Name">As the condition names it, such as <c>p99</c>.</param>
/// <param name="Bound">In the unit of the value, above 0.</param>
/// <param name="MayBeZero">Whether it is a share or a number, which may be 0, rather than a latency.</param>
public sealed record BoundedFigure(string Name, double Value, double Bound, bool MayBeZero)
{
    /// <summary>The <see cref="Excess"/> of a share or a number that is 0.</summary>
    public static readonly double ExcessOfNone = Math.Log(0.5);

    /// <summary>
    /// 0 at the bound and above 0 beyond it: the logarithm of the value over the bound. A share or a number may be 0, so the bound is added
    /// to both.
    /// </summary>
    [JsonIgnore]
    public double Excess => MayBeZero ? Math.Log((Value + Bound) / (2 * Bound)) : Math.Log(Math.Max(Value, MinValue) / Bound);

    /// <summary>Smaller than any measured latency, in ms. Avoids the logarithm of 0.</summary>
    private const double MinValue = 1e-4;

    /// <summary>The inverse of <see cref="Excess"/>: the value of this figure in a run with the given excess.</summary>
    public double ValueAt(double excess) =>
        MayBeZero ? Math.Max(0, (2 * Bound * Math.Exp(excess)) - Bound) : Bound * Math.Exp(excess);
}
