using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

namespace ScaleOut.Bench.Modes;

/// <summary>
/// Measures the rate of Direct / the rate of Gateway with the latency of one region, over interleaved repeats. The 95% interval is
/// Student's t on the logarithms of the pairs' ratios.
/// </summary>
public static class ModeRatio
{
    private const int InFlight = 20;
    private static readonly TimeSpan Warming = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Measuring = TimeSpan.FromSeconds(8);

    public static async Task RunAsync(int repeats)
    {
        using var account = await AccountServer.StartAsync(LatencyProfile.SameRegion);
        var target = await AccountServer.CreateContainerAsync(account.Ready.Connection, "ratio");
        await using var bench = new LegBench(account.Ready.Connection, target);

        async Task<double> RateAsync(ConnectionMode mode, TimeSpan duration)
        {
            var result = await bench.RunAsync(new LegSettings(mode, WorkloadKind.Insert, InFlight), duration);
            return result.Output.Counts.Inserted / (result.EndedAt - result.StartedAt).TotalSeconds;
        }

        foreach (var mode in new[] { ConnectionMode.Gateway, ConnectionMode.Direct })
            await RateAsync(mode, Warming);

        var logs = new List<double>();
        for (var repeat = 0; repeat < repeats; repeat++)
        {
            var gateway = await RateAsync(ConnectionMode.Gateway, Measuring);
            var direct = await RateAsync(ConnectionMode.Direct, Measuring);
            Console.WriteLine(
                FormattableString.Invariant($"  Gateway {gateway:N0}/s, Direct {direct:N0}/s; ratio {direct / gateway:0.000}"));
            logs.Add(Math.Log(direct / gateway));
        }

        var half = StudentT.InvCDF(0, 1, repeats - 1, 0.975) * logs.StandardDeviation() / Math.Sqrt(repeats);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"simulated, same-region, {InFlight} in flight: Direct / Gateway = {Math.Exp(logs.Mean()):0.000} "
                + $"[{Math.Exp(logs.Mean() - half):0.000}, {Math.Exp(logs.Mean() + half):0.000}] over {repeats} interleaved repeats"));
    }
}
