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

    [Fact]
    public void Add_CoarseAndFine_IsRejected()
    {
        var (coarse, fine) = (LatencyHistogram.Coarse(), new LatencyHistogram());
        const string message = "A coarse histogram and a fine one have no buckets in common.";

        Assert.StartsWith(message, Assert.Throws<ArgumentException>(() => coarse.Add(fine)).Message);
        Assert.StartsWith(message, Assert.Throws<ArgumentException>(() => PackedHistogram.From(coarse).AddTo(fine)).Message);
    }

    [Theory]
    [InlineData(-0.001)]
    [InlineData(100.001)]
    public void PercentileMs_BeyondAllValues_IsRejected(double percent) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => From([1]).PercentileMs(percent));

    /// <summary>Buckets become wider at each power of two, from 16 µs in a coarse histogram and from 128 µs in a fine one.</summary>
    [Fact]
    public void Json_KnownValues_IsTheStoredForm()
    {
        var coarse = LatencyHistogram.Coarse();
        foreach (var microseconds in (long[])[1, 1, 16, 17, 18])
            coarse.Record(TimeSpan.FromMicroseconds(microseconds));

        Assert.Equal("""{"sumUs":53,"maxUs":18,"bits":3,"buckets":[1,2,16,2,17,1]}""", Json(coarse));
        Assert.Equal("""{"sumUs":130,"maxUs":129,"buckets":[1,1,128,1]}""", Json(From([1, 129])));
    }

    [Fact]
    public void PackedHistogram_AnyHistogram_HasItsCountsAndItsJson() => Properties.Holds(Prop.ForAll(Values, values =>
    {
        var histogram = From(values);
        var packed = PackedHistogram.From(histogram);
        var (json, sum) = (JsonSerializer.Serialize(packed, ScaleOutJson.Compact), From(values));
        packed.AddTo(sum);
        return json == Json(histogram)
            && Json(packed.Unpack()) == Json(histogram)
            && Json(JsonSerializer.Deserialize<PackedHistogram>(json, ScaleOutJson.Compact)!.Unpack()) == Json(histogram)
            && Json(sum) == Json(From([.. values, .. values]));
    }));

    [Fact]
    public void PackedHistogram_MoreThanASecondHas_IsRejected()
    {
        const string json = """{"sumUs":2147483648,"maxUs":1,"buckets":[1,2147483648]}""";
        var histogram = JsonSerializer.Deserialize<LatencyHistogram>(json, ScaleOutJson.Compact)!;

        Assert.Throws<OverflowException>(() => PackedHistogram.From(histogram));
        var error = Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<PackedHistogram>(json, ScaleOutJson.Compact));
        Assert.Equal("This is not the latency histogram of a second.", error.Message);
    }

    [Theory]
    [InlineData("""{"sumUs":1,"maxUs":1,"bits":4,"buckets":[1,1]}""")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":[-1,1]}""")]
    [InlineData("{}")]
    [InlineData("[]")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":[1]}""")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":[99999,1]}""")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":[1,-1]}""")]
    [InlineData("""{"sumUs":1,"maxUs":1,"buckets":["a",1]}""")]
    public void Json_NoHistogram_IsAJsonError(string json) => Assert.Equal(
        "This is not a latency histogram.",
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<LatencyHistogram>(json, ScaleOutJson.Compact)).Message);

    private static LatencyHistogram From(long[] microseconds)
    {
        var histogram = new LatencyHistogram();
        foreach (var value in microseconds)
            histogram.Record(TimeSpan.FromMicroseconds(Math.Max(1, value)));
        return histogram;
    }

    private static string Json(LatencyHistogram histogram) => JsonSerializer.Serialize(histogram, ScaleOutJson.Compact);
}
