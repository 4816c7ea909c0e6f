using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Tests.Workers.Measuring;

public sealed class LegMeterTests
{
    private static readonly PartitionRanges TwoPartitions = new(PartitionKeyVersion.V2, [("1F", "FF"), ("", "1F")]);

    private readonly LegClock _clock = new(TimeProvider.System);

    [Fact]
    public void Seconds_OperationsInSeveralSeconds_CountWhereTheyEndedAndGapsAreThere()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        var now = LegClock.Now;
        var inTwoSeconds = now + (2 * Stopwatch.Frequency);

        Create(meter, now, partition: 0, charge: 5.71);
        Create(meter, inTwoSeconds, partition: 1, charge: 5.71);
        Create(meter, inTwoSeconds, partition: 1, charge: 5.71);

        var first = _clock.SecondOf(now);
        var seconds = meter.Seconds().Skip(first).ToList();
        Assert.Equal([1, 0, 2], seconds.Select(second => second.Counts.Inserted));
        Assert.Equal([5.71, 0, 11.42], seconds.Select(second => second.Counts.RequestUnits));
        Assert.Equal(
            [_clock.FirstSecond + first, _clock.FirstSecond + first + 1, _clock.FirstSecond + first + 2],
            seconds.Select(second => second.Second));
    }

    [Fact]
    public void Seconds_LatenciesAndErrors_CountWhereTheyEnded()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        var now = LegClock.Now;
        var (soon, later) = (now + (Stopwatch.Frequency / 10), now + (2 * Stopwatch.Frequency));
        meter.HandedOver();
        meter.Attempt(new AttemptResponse(AttemptKind.Retry, 503, 20006, 0, default, null), now, later, partition: 0);
        meter.Operation(now, soon);
        meter.Operation(soon, later);

        var seconds = meter.Seconds();
        var last = seconds[_clock.SecondOf(later)];
        Assert.Equal(
            [100.0, 1_900.0], seconds.Where(second => second.Latency is not null).Select(second => second.Latency!.Unpack().MeanMs!.Value));
        Assert.Equal(("503/20006", 1L), Assert.Single(last.Errors!.Select(error => (error.Key, error.Value))));
        Assert.All(seconds.Where(second => second != last), second => Assert.Null(second.Errors));
    }

    [Fact]
    public void ThrottledResponses_SeveralThatSayWhenToComeAgain_HaveTheirEndsAndLatencies()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        Assert.Null(meter.ThrottledResponses);
        var now = LegClock.Now;
        foreach (var (kind, ms) in new[]
            {
                (AttemptKind.Throttled, 40), (AttemptKind.Throttled, 250), (AttemptKind.Throttled, 90), (AttemptKind.Throttled, 0),
                (AttemptKind.Succeeded, 900),
            })
        {
            meter.HandedOver();
            meter.Attempt(
                new AttemptResponse(kind, 429, 3200, 0, TimeSpan.FromMilliseconds(ms), null), now, now + (Stopwatch.Frequency / 10),
                partition: 0);
        }

        var throttled = meter.ThrottledResponses!;
        Assert.Equal((40, 250, 3), (throttled.RetryAfterMinMs, throttled.RetryAfterMaxMs, throttled.Latency.Count));
        Assert.Equal(100, throttled.Latency.MeanMs!.Value, 0.1);
    }

    [Fact]
    public void WarmLatencies_OperationsAcrossTheEndOfTheWarmup_CountByTheirEnd()
    {
        var now = LegClock.Now;
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1)) { WarmFrom = now + Stopwatch.Frequency };
        var slow = now + (Stopwatch.Frequency / 2);
        var (warm, last) = (now + Stopwatch.Frequency, now + (2 * Stopwatch.Frequency));
        foreach (var (from, to) in new[] { (now, slow), (slow, warm), (warm, last) })
        {
            meter.HandedOver();
            meter.Attempt(new AttemptResponse(AttemptKind.Succeeded, 201, 0, 1, default, null), from, to, partition: 0);
            meter.Operation(from, to);
        }

        Assert.Equal((3, 3), (meter.AttemptLatency.Count, meter.OperationLatency.Count));
        Assert.Equal((2, 2), (meter.WarmAttemptLatency.Count, meter.WarmOperationLatency.Count));
        Assert.Equal(750, meter.WarmOperationLatency.MeanMs!.Value, 1.0);
    }

    [Fact]
    public void Partitions_AnyOrderOfRanges_AreInOrderAndHoldWhatTheirKeysCaused()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        var now = LegClock.Now;
        Create(meter, now, partition: 1, charge: 10);
        meter.HandedOver();
        meter.Attempt(new AttemptResponse(AttemptKind.Throttled, 429, 3200, 0.5, default, null), now, now, partition: 0);

        var partitions = meter.Partitions();

        Assert.Equal(["", "1F"], partitions.Select(partition => partition.Min));
        Assert.Equal([(0L, 1L, 0.5), (1L, 0L, 10.0)], partitions.Select(
            partition => (partition.Counts.Inserted, partition.Counts.Throttled, partition.Counts.RequestUnits)));
        Assert.Equal([0.5, 10], partitions.Select(partition => partition.RequestUnitsPerSecond[_clock.SecondOf(now)]));
    }

    [Fact]
    public void PartitionProgress_SeveralSeconds_SumsUpWhatPartitionsSay()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        var now = LegClock.Now;
        Create(meter, now, partition: 1, charge: 10);
        Create(meter, now + (3 * Stopwatch.Frequency), partition: 1, charge: 2.5);
        meter.HandedOver();
        meter.Attempt(new AttemptResponse(AttemptKind.Throttled, 429, 3200, 0.5, default, null), now, now, partition: 0);

        Assert.Equal(
            [
                new PartitionProgress("", "1F", new() { Attempts = 1, Throttled = 1, RequestUnits = 0.5 }),
                new PartitionProgress("1F", "FF", new() { Inserted = 2, Attempts = 2, RequestUnits = 12.5 }),
            ],
            meter.PartitionProgress());
    }

    [Fact]
    public void PartitionProgress_TooManyPartitions_ReportsOfNone()
    {
        var ranges = Enumerable.Range(0, WorkerProgress.MaxPartitions + 1)
            .Select(i => (i == 0 ? "" : i.ToString("X4"), i == WorkerProgress.MaxPartitions ? "FF" : (i + 1).ToString("X4")));

        Assert.Empty(
            new LegMeter(_clock, new PartitionRanges(PartitionKeyVersion.V2, [.. ranges]), TimeSpan.FromMinutes(1)).PartitionProgress());
    }

    [Fact]
    public void SilentSince_NothingSent_IsNull() => Assert.Null(new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1)).SilentSince);

    [Fact]
    public void SilentSince_OnlyTheNetworkResponds_StaysAtTheFirstRequest()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        meter.HandedOver();
        var since = meter.SilentSince;
        meter.Attempt(Error(503, 20006), LegClock.Now, LegClock.Now, partition: 0);
        meter.HandedOver();

        Assert.NotNull(since);
        Assert.Equal(since, meter.SilentSince);
    }

    [Fact]
    public void SilentSince_TheAccountResponds_IsThatInstantWhileOthersWaitAndThenNull()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        meter.HandedOver();
        meter.HandedOver();
        var respondedAt = LegClock.Now;
        meter.Attempt(Error(429, 3200), respondedAt, respondedAt, partition: 0);
        Assert.Equal(respondedAt, meter.SilentSince);

        meter.Attempt(Error(503, 0), LegClock.Now, LegClock.Now, partition: 0);
        Assert.Null(meter.SilentSince);
    }

    [Fact]
    public void Attempt_OtherErrors_AreCountedByStatusAndSubStatus()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromMinutes(1));
        foreach (var response in new[] { Error(503, 20006), Error(503, 20006), Error(408, 0) })
        {
            meter.HandedOver();
            meter.Attempt(response, LegClock.Now, LegClock.Now, partition: 0);
        }

        Assert.Equal(new Dictionary<string, long> { ["503/20006"] = 2, ["408"] = 1 }, meter.OtherErrors);
        Assert.Equal("408 lost", meter.LastError);
    }

    [Fact]
    public void Seconds_LaterThanTheLongestLeg_CountInTheLastSecond()
    {
        var meter = new LegMeter(_clock, TwoPartitions, TimeSpan.FromSeconds(1));
        Create(meter, LegClock.Now + (3600 * Stopwatch.Frequency), partition: 0, charge: 1);

        Assert.Equal(1, meter.Seconds().Sum(second => second.Counts.Inserted));
    }

    private static AttemptResponse Error(int status, int subStatus) =>
        new(AttemptKind.RetryUncertain, status, subStatus, 0, default, "lost\r\nat some place");

    private static void Create(LegMeter meter, long at, int partition, double charge)
    {
        meter.HandedOver();
        meter.Attempt(new AttemptResponse(AttemptKind.Succeeded, 201, 0, charge, default, null), at, at, partition);
        meter.Finished(new Counts { Inserted = 1 }, at, partition);
    }
}
