using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Tests.Workers.Measuring;

public sealed class LegMeterTests
{
    private static readonly PartitionRanges TwoPartitions = new(PartitionKeyVersion.V2, [("1F", "FF"), ("", "1F")]);

    private readonly LegClock _clock = new(TimeProvider.System);
    private readonly LegMeter _meter;

    public LegMeterTests() => _meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));

    [Fact]
    public void Seconds_OperationsInSeveralSeconds_CountWhereTheyEndedWithEmptySecondsBetween()
    {
        var now = _clock.Now;
        var inTwoSeconds = now + (2 * Stopwatch.Frequency);
        Create(now, partition: 0, charge: 5.71);
        Create(inTwoSeconds, partition: 1, charge: 5.71);
        Create(inTwoSeconds, partition: 1, charge: 5.71);

        var first = _clock.SecondOf(now);
        var seconds = _meter.Seconds().Skip(first).ToList();
        Assert.Equal([1, 0, 2], seconds.Select(second => second.Counts.Inserted));
        Assert.Equal([5.71, 0, 11.42], seconds.Select(second => second.Counts.RequestUnits.Value));
        Assert.Equal(
            [_clock.FirstSecond + first, _clock.FirstSecond + first + 1, _clock.FirstSecond + first + 2],
            seconds.Select(second => second.Second));
    }

    [Fact]
    public void Seconds_LatenciesAndErrors_CountWhereTheyEnded()
    {
        var now = _clock.Now;
        var (soon, later) = (now + (Stopwatch.Frequency / 10), now + (2 * Stopwatch.Frequency));
        Attempt(Error(503, 20006), now, later);
        _meter.Operation(now, soon);
        _meter.Operation(soon, later);

        var seconds = _meter.Seconds();
        var last = seconds[_clock.SecondOf(later)];
        Assert.Equal(
            [100.0, 1_900.0], seconds.Where(second => second.Latency is not null).Select(second => second.Latency!.Unpack().MeanMs!.Value));
        Assert.Equal(("503/20006", 1L), Assert.Single(last.Errors!.Select(error => (error.Key, error.Value))));
        Assert.All(seconds.Where(second => second != last), second => Assert.Null(second.Errors));
    }

    [Fact]
    public void ThrottledResponses_SeveralWithRetryAfter_HaveItsBoundsAndTheirLatencies()
    {
        Assert.Null(_meter.ThrottledResponses);
        var now = _clock.Now;
        foreach (var ms in new[] { 40, 250, 90, 0, 900 })
        {
            var kind = ms == 900 ? AttemptKind.Succeeded : AttemptKind.Throttled;
            var response = new AttemptResponse(kind, 429, 3200, default, TimeSpan.FromMilliseconds(ms), null);
            Attempt(response, now, now + (Stopwatch.Frequency / 10));
        }

        var throttled = _meter.ThrottledResponses!;
        Assert.Equal((40, 250, 3), (throttled.RetryAfterMinMs, throttled.RetryAfterMaxMs, throttled.Latency.Count));
        Assert.Equal(100, throttled.Latency.MeanMs!.Value, 0.1);
    }

    [Fact]
    public void WarmLatencies_OperationsThatEndAfterTheWarmup_AreCounted()
    {
        var now = _clock.Now;
        var (slow, warm, last) = (now + (Stopwatch.Frequency / 2), now + Stopwatch.Frequency, now + (2 * Stopwatch.Frequency));
        _meter.WarmFrom = warm;
        foreach (var (from, to) in new[] { (now, slow), (slow, warm), (warm, last) })
        {
            Attempt(new AttemptResponse(AttemptKind.Succeeded, 201, 0, RequestUnits.From(1), default, null), from, to);
            _meter.Operation(from, to);
        }

        Assert.Equal((3, 3), (_meter.AttemptLatency.Count, _meter.OperationLatency.Count));
        Assert.Equal((2, 2), (_meter.WarmAttemptLatency.Count, _meter.WarmOperationLatency.Count));
        Assert.Equal(750, _meter.WarmOperationLatency.MeanMs!.Value, 1.0);
    }

    [Fact]
    public void Partitions_AnyOrderOfRanges_AreInOrderWithTheirOwnCounts()
    {
        var now = _clock.Now;
        Create(now, partition: 1, charge: 10);
        Attempt(new AttemptResponse(AttemptKind.Throttled, 429, 3200, RequestUnits.From(0.5), default, null), now, now);

        var partitions = _meter.Partitions();

        Assert.Equal(["", "1F"], partitions.Select(partition => partition.Min));
        Assert.Equal([(0L, 1L, 0.0, 0.5), (1L, 0L, 10.0, 0.0)], partitions.Select(partition => (
            partition.Counts.Inserted, partition.Counts.Throttled, partition.Counts.RequestUnits.Value,
            partition.Counts.ThrottledRequestUnits.Value)));
        // Seconds without a charge are left out at both ends.
        Assert.Empty(partitions[0].RequestUnitsPerSecond);
        Assert.Equal((_clock.FirstSecond + _clock.SecondOf(now), 10.0),
            (partitions[1].FirstSecond, Assert.Single(partitions[1].RequestUnitsPerSecond)));
    }

    [Fact]
    public void Uncharged_SuccessWithoutACharge_IsCountedAndAddsNothing()
    {
        var now = _clock.Now;
        Create(now, partition: 1, charge: 10);
        Create(now, partition: 1, charge: 0);
        Attempt(new AttemptResponse(AttemptKind.Throttled, 429, 3200, default, default, null), now, now);
        Attempt(Error(503, 0), now, now);
        Assert.Equal((1, 10.0), (_meter.Uncharged, _meter.Totals.RequestUnits.Value));
    }

    [Fact]
    public void PartitionProgress_SeveralSeconds_HasTheSumsOfEachPartition()
    {
        var now = _clock.Now;
        Create(now, partition: 1, charge: 10);
        Create(now + (3 * Stopwatch.Frequency), partition: 1, charge: 2.5);
        Attempt(new AttemptResponse(AttemptKind.Throttled, 429, 3200, RequestUnits.From(0.5), default, null), now, now);

        Assert.Equal(
            [
                new PartitionProgress("", "1F", new() { Attempts = 1, Throttled = 1, ThrottledRequestUnits = RequestUnits.From(0.5) }),
                new PartitionProgress("1F", "FF", new() { Inserted = 2, Attempts = 2, RequestUnits = RequestUnits.From(12.5) }),
            ],
            _meter.PartitionProgress());
    }

    [Fact]
    public void PartitionProgress_TooManyPartitions_IsEmpty()
    {
        var ranges = Enumerable.Range(0, WorkerProgress.MaxPartitions + 1)
            .Select(i => (i == 0 ? "" : i.ToString("X4"), i == WorkerProgress.MaxPartitions ? "FF" : (i + 1).ToString("X4")));
        var partitions = new PartitionRanges(PartitionKeyVersion.V2, [.. ranges]);
        Assert.Empty(new LegMeter(_clock, partitions, TimeSpan.FromMinutes(1)).PartitionProgress());
    }

    [Fact]
    public void SilentSince_NothingSent_IsNull() => Assert.Null(_meter.SilentSince);

    [Fact]
    public void SilentSince_OnlyTheNetworkResponds_StaysAtTheFirstRequest()
    {
        _meter.BeginOperation();
        var since = _meter.SilentSince;
        _meter.Attempt(Error(503, 20006), _clock.Now, _clock.Now, partition: 0);
        _meter.BeginOperation();

        Assert.NotNull(since);
        Assert.Equal(since, _meter.SilentSince);
    }

    [Fact]
    public void SilentSince_TheAccountResponds_IsThatInstantWhileOthersWaitAndThenNull()
    {
        _meter.BeginOperation();
        var respondedAt = _clock.Now;
        Attempt(Error(429, 3200), respondedAt, respondedAt);
        Assert.Equal(respondedAt, _meter.SilentSince);

        _meter.Attempt(Error(503, 0), _clock.Now, _clock.Now, partition: 0);
        Assert.Null(_meter.SilentSince);
    }

    [Fact]
    public void Attempt_OtherErrors_AreCountedByStatusAndSubStatus()
    {
        foreach (var response in new[] { Error(503, 20006), Error(503, 20006), Error(408, 0) })
            Attempt(response, _clock.Now, _clock.Now);
        Assert.Equal(new Dictionary<string, long> { ["503/20006"] = 2, ["408"] = 1 }, _meter.OtherErrors);
        Assert.Equal("408 lost", _meter.LastError);
    }

    [Fact]
    public void Seconds_LaterThanTheLongestLeg_CountInTheLastSecond()
    {
        Create(_clock.Now + (3600 * Stopwatch.Frequency), partition: 0, charge: 1);
        Assert.Equal(1, _meter.Seconds().Sum(second => second.Counts.Inserted));
    }

    private static AttemptResponse Error(int status, int subStatus) =>
        new(AttemptKind.RetryUncertain, status, subStatus, default, default, "lost\r\nat some place");

    private void Attempt(AttemptResponse response, long from, long to, int partition = 0)
    {
        _meter.BeginOperation();
        _meter.Attempt(response, from, to, partition);
    }

    private void Create(long at, int partition, double charge)
    {
        Attempt(new AttemptResponse(AttemptKind.Succeeded, 201, 0, RequestUnits.From(charge), default, null), at, at, partition);
        _meter.Finished(new Counts { Inserted = 1 }, at, partition);
    }
}
