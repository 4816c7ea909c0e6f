using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LatencyHistogramTests
{
    private static readonly double[] Percents = [0, 1, 50, 90, 95, 96, 99, 99.9, 100];

    /// <summary>Values from 1 µs to an hour, every order of magnitude alike.</summary>
    private static Arbitrary<long[]> Values { get; } = Gen.Choose(0, int.MaxValue)
        .Select(seed => (long)Math.Exp(new Random(seed).NextDouble() * Math.Log(LatencyHistogram.MaxMicroseconds)))
        .NonEmptyListOf().Select(values => values.ToArray()).ToArbitrary();

    [Fact]
    public void Percentile_AnyValues_IsWithinOnePercentOfTheExactOne() => Properties.Holds(Prop.ForAll(Values, values =>
    {
        var histogram = From(values);
        var sorted = values.Order().ToArray();
        return Percents.All(percent =>
        {
            var exact = sorted[Math.Max(1, (int)Math.Ceiling(percent / 100 * sorted.Length)) - 1] / 1000.0;
            return Math.Abs(histogram.PercentileMs(percent)!.Value - exact) <= 0.01 * exact;
        });
    }));

    [Fact]
    public void Add_AnyParts_EqualsOneHistogramOfAllValues() => Properties.Holds(Prop.ForAll(Values, Values, Values, (a, b, c) =>
    {
        var one = Json(From([.. a, .. b, .. c]));
        return one == Json(LatencyMerge.Merge([LatencyMerge.Merge([From(a), From(b)]), From(c)]))
            && one == Json(LatencyMerge.Merge([From(c), LatencyMerge.Merge([From(b), From(a)])]));
    }));

    [Fact]
    public void Json_AnyHistogram_ComesBackTheSame() => Properties.Holds(Prop.ForAll(Values, values =>
    {
        var json = Json(From(values));
        var read = JsonSerializer.Deserialize<LatencyHistogram>(json, ScaleOutJson.Compact)!;
        return json == Json(read) && read.Count == values.Length
            && Percents.All(percent => read.PercentileMs(percent) == From(values).PercentileMs(percent));
    }));

    [Fact]
    public void Figures_KnownValues_AreExact()
    {
        var histogram = From([1_000, 2_000, 3_000, 10_000]);
        Assert.Equal((4, 16_000, 10_000), (histogram.Count, histogram.SumMicroseconds, histogram.MaxRecordedMicroseconds));
        Assert.Equal(4, histogram.MeanMs);
        Assert.Equal(10, histogram.PercentileMs(100));
    }

    [Fact]
    public void Record_BeyondTheEnds_CountsAsTheEnds()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(TimeSpan.Zero);
        histogram.Record(TimeSpan.FromHours(2));
        Assert.Equal(0.001, histogram.PercentileMs(50));
        Assert.Equal(3_600_000, histogram.PercentileMs(100));
    }

    [Fact]
    public void CoarseStartMs_EveryBucket_IsTheEndOfTheOneBefore()
    {
        var histogram = LatencyHistogram.Coarse();
        for (double microseconds = 1; microseconds < LatencyHistogram.MaxMicroseconds; microseconds *= 1.01)
            histogram.Record(TimeSpan.FromMicroseconds(microseconds));
        var ends = histogram.Buckets().Select(bucket => bucket.UpperBoundMs).ToList();

        Assert.Equal(0.001, LatencyHistogram.CoarseStartMs(ends[0]));
        Assert.Equal(ends.SkipLast(1), ends.Skip(1).Select(LatencyHistogram.CoarseStartMs));
    }

    [Fact]
    public void Figures_NothingRecorded_AreNull()
    {
        Assert.Null(new LatencyHistogram().PercentileMs(50));
        Assert.Null(new LatencyHistogram().MeanMs);
    }

    [Fact]
    public async Task Record_ByManyThreads_LosesNothing()
    {
        var histogram = new LatencyHistogram();
        await Parallel.ForAsync(0, 40_000, TestContext.Current.CancellationToken, (i, _) =>
        {
            histogram.Record(TimeSpan.FromMicroseconds((i % 100) + 1));
            return ValueTask.CompletedTask;
        });

        Assert.Equal((40_000, 40_000 / 100 * 5_050, 100), (histogram.Count, histogram.SumMicroseconds, histogram.MaxRecordedMicroseconds));
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("[]")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":[1]}""")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":[99999,1]}""")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":[1,-1]}""")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":["a",1]}""")]
    public void Json_NoHistogram_IsAJsonError(string json) =>
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<LatencyHistogram>(json, ScaleOutJson.Compact));

    private static LatencyHistogram From(long[] microseconds)
    {
        var histogram = new LatencyHistogram();
        foreach (var value in microseconds)
            histogram.Record(TimeSpan.FromMicroseconds(Math.Max(1, value)));
        return histogram;
    }

    private static string Json(LatencyHistogram histogram) => JsonSerializer.Serialize(histogram, ScaleOutJson.Compact);
}
