using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Experiments;
using ScaleOut.Measurement;

namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>One variant, for claims that compare none.</summary>
internal static class OneVariant
{
    /// <summary>Single inserts in an open loop.</summary>
    public static Truth WithP99(double ms) =>
        new() { Name = "a", Spec = new() { Client = new() { Rate = 100 } }, Rate = 400, P99LatencyMs = ms };

    /// <summary>A step load with one user more in each step.</summary>
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
