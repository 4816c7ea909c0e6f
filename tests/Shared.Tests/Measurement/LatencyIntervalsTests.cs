using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LatencyIntervalsTests
{
    [Fact]
    public void Next_AnyLatency_IsInABucketThatEndsAtMostAnEighthAboveIt() => Properties.Holds(
        Prop.ForAll(
            Gen.Choose(128, int.MaxValue).ToArbitrary(),
            microseconds =>
            {
                var bucket = Assert.Single(NextOf(microseconds));
                var upper = bucket.UpperBoundMs * 1000;
                return bucket.Count == 1 && microseconds < upper && upper <= (microseconds * 1.125) + 1;
            }),
        cases: 1_000);

    [Fact]
    public void Next_AnyLatencies_AddUpOverIntervalsToTheSameBuckets() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, 5_000_000).ListOf().ToArbitrary(),
        Gen.Choose(1, 5_000_000).ListOf().ToArbitrary(),
        (first, second) =>
        {
            var histogram = new LatencyHistogram();
            var intervals = new LatencyIntervals(() => histogram);
            Record(histogram, first);
            var parts = intervals.Next().Buckets().ToList();
            Record(histogram, second);
            parts.AddRange(intervals.Next().Buckets());

            var sum = parts.GroupBy(bucket => bucket.UpperBoundMs)
                .Select(group => new LatencyBucket(group.Key, group.Sum(bucket => bucket.Count))).OrderBy(bucket => bucket.UpperBoundMs);
            return sum.SequenceEqual(NextOf([.. first, .. second]))
                && parts.Sum(bucket => bucket.Count) == first.Count + second.Count
                && intervals.Next().Count == 0;
        }));

    [Fact]
    public void Next_SecondCall_HasTheMeanAndTheMaximumOfItsOwnLatencies()
    {
        var histogram = new LatencyHistogram();
        var intervals = new LatencyIntervals(() => histogram);
        Record(histogram, [90_000, 90_000, 90_000]);
        Assert.Equal(90, intervals.Next().MeanMs);
        Record(histogram, [10_000, 30_000]);

        var second = intervals.Next();

        Assert.Equal((2, 20.0), (second.Count, second.MeanMs));
        // The maximum is that of its bucket, at most 1/64 above the value.
        Assert.InRange(second.MaxRecordedMicroseconds, 30_000, 30_000 * 65 / 64);
        Assert.Null(intervals.Next().MeanMs);
    }

    [Fact]
    public void Next_AllBuckets_AreFewEnoughForATelemetryProperty()
    {
        var histogram = new LatencyHistogram();
        for (double microseconds = 1; microseconds < LatencyHistogram.MaxMicroseconds; microseconds *= 1.02)
            histogram.Record(TimeSpan.FromMicroseconds(microseconds));
        Assert.InRange(new LatencyIntervals(() => histogram).Next().Buckets().Count, 150, 256);
    }

    private static IReadOnlyList<LatencyBucket> NextOf(params IEnumerable<int> microseconds)
    {
        var histogram = new LatencyHistogram();
        Record(histogram, microseconds);
        return new LatencyIntervals(() => histogram).Next().Buckets();
    }

    private static void Record(LatencyHistogram histogram, IEnumerable<int> microseconds)
    {
        foreach (var value in microseconds)
            histogram.Record(TimeSpan.FromMicroseconds(value));
    }
}
