namespace ScaleOut.Bench.Size;

/// <summary>
/// The RU/s that operations at random take, by arithmetic of whole seconds alone: what a second cannot serve is throttled once and waits
/// for the next one.
/// </summary>
internal static class RandomArrivals
{
    private const int Seconds = 50_000;
    private const int Halvings = 20;

    /// <summary>Mean above which a Poisson number is nearly a normal one.</summary>
    private const double Many = 30;

    /// <summary>The fewest RU/s with which less than a share of the attempts is throttled, if operations spread evenly.</summary>
    public static double LeastUnits(double rate, double charge, int partitions, double maxThrottled)
    {
        var (mean, low, high) = (rate / partitions, 1.0, 1 + (20 / Math.Sqrt(rate / partitions)));
        for (var i = 0; i < Halvings; i++)
        {
            var middle = (low + high) / 2;
            (low, high) = ThrottledShare(mean, middle * mean) < maxThrottled ? (low, middle) : (middle, high);
        }

        return high * rate * charge;
    }

    private static double ThrottledShare(double mean, double served)
    {
        var random = new Random(77);
        var (waiting, throttled, attempts) = (0.0, 0.0, 0.0);
        for (var second = 0; second < Seconds; second++)
        {
            var trying = waiting + Poisson(random, mean);
            waiting = Math.Max(0, trying - served);
            throttled += waiting;
            attempts += trying;
        }

        return throttled / attempts;
    }

    private static double Poisson(Random random, double mean)
    {
        if (mean > Many)
        {
            var normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
            return Math.Max(0, Math.Round(mean + (Math.Sqrt(mean) * normal)));
        }

        var (count, product, least) = (-1, 1.0, Math.Exp(-mean));
        while (product > least || count < 0)
        {
            product *= 1 - random.NextDouble();
            count++;
        }

        return count;
    }
}
