using ScaleOut.Analysis.Calibration;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Analysis.Calibration;

public sealed class AccountLatencyTests
{
    private const double MedianMs = 5;
    private const double RoundTripMs = 10;

    private readonly SeededNoise _noise = new(7);

    [Fact]
    public void From_ClientThatIsHeldUpOften_TakesItOffEveryQuantile()
    {
        var found = AccountLatency.From(Sample(throttled: false))!;

        // The 1st, 50th and 99th percentile of a log-normal distribution.
        Assert.Equal(RoundTripMs + (MedianMs * Math.Exp(-2.326 * 0.35)), At(found.Ms, 0.01), 0.3);
        Assert.Equal(RoundTripMs + MedianMs, found.Median.Value, 0.15);
        Assert.Equal(RoundTripMs + (MedianMs * Math.Exp(2.326 * 0.35)), At(found.Ms, 0.99), 1.0);
        // Which the typical time of the client alone would not have done.
        Assert.True(At(found.ShiftedMs, 0.99) > RoundTripMs + (MedianMs * Math.Exp(2.326 * 0.35)) + 0.8);
    }

    [Fact]
    public void From_Throttled_IsTheWayWithoutTheClientsTypicalTime()
    {
        var found = AccountLatency.From(Sample(throttled: true))!;

        Assert.Equal(RoundTripMs, found.Median.Value, 0.1);
        Assert.Equal(1.35, found.Client.Value, 0.1);
    }

    [Fact]
    public void From_TooFewReferenceCalls_IsNothing() =>
        Assert.Null(AccountLatency.From(Sample(throttled: false) with { ReferenceMs = [2.1, 2.2] }));

    private static double At(IReadOnlyList<double> sorted, double probability) => OrderStatistics.ValueAt(sorted, probability);

    private LatencySample Sample(bool throttled) => new()
    {
        Kind = LatencyKind.Read, Mode = ConnectionMode.Direct, Throttled = throttled,
        Ms =
        [
            .. Enumerable.Range(0, 5_000).Select(_ =>
                RoundTripMs + (throttled ? 0 : MedianMs * Math.Exp(0.35 * _noise.NextNormal())) + NextOwnMs()),
        ],
        ReferenceMs = [.. Enumerable.Range(0, 2_000).Select(_ => LatencyEstimator.ReferenceMs + NextOwnMs())],
    };

    /// <summary>1 ms and more, and in one call of fifty much more.</summary>
    private double NextOwnMs() => 1 - ((_noise.NextUniform() < 0.02 ? 5 : 0.5) * Math.Log(1 - _noise.NextUniform()));
}
