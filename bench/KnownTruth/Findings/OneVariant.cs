namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>One variant, for claims that compare no variants.</summary>
internal static class OneVariant
{
    /// <summary>Single inserts in an open loop.</summary>
    public static Truth WithP99(double ms) =>
        new() { Name = "a", Spec = new() { Client = new() { Rate = 100 } }, Rate = 400, P99LatencyMs = ms };

    /// <summary>Single inserts in a closed loop that exceeds its RU/s.</summary>
    /// <param name="share">Share of the operations' time that is spent waiting after 429s.</param>
    public static Truth WithWaits(double share) => new() { Name = "a", Rate = 400, BoundBy = BoundBy.RequestUnits, WaitShare = share };

    /// <summary>A step load with four users more in each step.</summary>
    /// <param name="rates">Operations per second of each step.</param>
    public static Truth WithSteps(params double[] rates) => new()
    {
        Name = "a",
        Spec = new()
        {
            Workload = new()
            {
                Steps = [.. rates.Select((_, i) => new StepSpec { Users = 4 * (i + 1), Duration = TimeSpan.FromMinutes(1) })],
            },
        },
        Rate = rates.Average(),
        Steps = rates,
    };
}
