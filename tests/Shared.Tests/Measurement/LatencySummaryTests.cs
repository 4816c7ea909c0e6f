namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LatencySummaryTests
{
    /// <summary>Of 1 to 10,000 ms, the value of each percentile is known. Buckets are off by at most 1/128.</summary>
    [Fact]
    public void From_KnownValues_EachPercentileIsItsOwn()
    {
        var histogram = new LatencyHistogram();
        foreach (var ms in Enumerable.Range(1, 10_000))
            histogram.Record(TimeSpan.FromMilliseconds(ms));

        var summary = LatencySummary.From(histogram);

        Assert.Equal((5_000.5, 10_000.0), (summary.Mean, summary.Max));
        (double? Found, double Exact)[] percentiles =
        [
            (summary.P50, 5_000), (summary.P90, 9_000), (summary.P95, 9_500), (summary.P96, 9_600), (summary.P99, 9_900),
            (summary.P999, 9_990),
        ];
        Assert.All(percentiles, one => Assert.InRange(one.Found!.Value, one.Exact * 127 / 128, one.Exact * 129 / 128));
        Assert.True(summary.P99 < summary.P999);
    }

    [Fact]
    public void BySecond_SeveralLegs_AddsTheLatenciesOfEachSecond()
    {
        var merged = LatencyMerge.BySecond(
        [
            Legs.Leg() with { Seconds = [Sample(1_000, 10, 20), Sample(1_001, 30), new SecondSample { Second = 1_002 }] },
            Legs.Leg(worker: 1) with { Seconds = [Sample(1_001, 50)] },
        ]);

        Assert.Equal([1_000, 1_001], merged.Keys.Order());
        Assert.Equal((2, 30_000), (merged[1_000].Unpack().Count, merged[1_000].Unpack().SumMicroseconds));
        Assert.Equal((2, 80_000), (merged[1_001].Unpack().Count, merged[1_001].Unpack().SumMicroseconds));

        static SecondSample Sample(long second, params double[] ms) => new()
        {
            Second = second, Latency = PackedHistogram.From(LatencyHistogram.Coarse().With([.. ms.Select(one => (1, one))])),
        };
    }

    [Fact]
    public void From_NothingRecorded_IsEmpty() => Assert.Equal(new LatencySummary(), LatencySummary.From(new LatencyHistogram()));
}
