namespace ScaleOut.Analysis.Statistics;

/// <summary>Finds the value up to which a condition holds.</summary>
public static class Halving
{
    /// <summary>Finds, by halving, the highest value between two bounds for which a condition holds.</summary>
    /// <param name="low">A value for which it holds. It holds for all values between this one and the result.</param>
    /// <param name="high">May be below <paramref name="low"/>; then the lowest value is found.</param>
    public static double Find(double low, double high, int steps, Func<double, bool> holds)
    {
        for (var i = 0; i < steps; i++)
        {
            var middle = (low + high) / 2;
            (low, high) = holds(middle) ? (middle, high) : (low, middle);
        }

        return low;
    }
}
