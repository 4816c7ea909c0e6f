namespace ScaleOut.Tests.Shared.Storage;

/// <summary>The results of many legs over many partitions, which are merged one after the other.</summary>
public sealed class RunFilesTests
{
    private const int Workers = 24;
    private const int Partitions = 200;
    private const int Seconds = 300;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>Each leg charges 1 RU in each second and partition, so that every sum is the number of workers.</summary>
    [Fact]
    public async Task ReadLegs_ManyPartitions_KeepsOnlyTheirSums()
    {
        var files = new RunFiles(new MemoryRunStore(), "test");
        for (var worker = 0; worker < Workers; worker++)
            await files.CreateResultIfAbsentAsync(Leg(worker), Cancellation);

        var legs = await files.ReadLegsAsync(Cancellation);

        Assert.Equal(Workers, legs.Results.Count);
        Assert.Equal(Partitions, legs.Partitions!.Count);
        Assert.All(legs.Partitions, partition => Assert.Equal(
            (Workers * (long)Seconds, Seconds, Workers, Workers),
            (partition.Counts.Attempts, partition.PerSecond.Count, partition.PerSecond.Values.Min(), partition.PerSecond.Values.Max())));
        Assert.All(legs.Results, leg => Assert.Equal(new NumberRange(1_000, Seconds), leg.PartitionSeconds));
        // What is measured of memory is in `bench memory report`.
        Assert.All(legs.Results, leg => Assert.Empty(leg.Partitions));
    }

    /// <summary>In each second all workers but the first have one latency each, in milliseconds the worker's number.</summary>
    [Fact]
    public async Task ReadLegs_LatenciesOfSeconds_AreMergedOverAllLegs()
    {
        var files = new RunFiles(new MemoryRunStore(), "test");
        for (var worker = 0; worker < Workers; worker++)
        {
            var latency = LatencyHistogram.Coarse();
            latency.Record(TimeSpan.FromMilliseconds(worker));
            IReadOnlyList<SecondSample> seconds =
                [.. Legs.Seconds(0, 3).Select(sample => sample with { Latency = worker == 0 ? null : PackedHistogram.From(latency) })];
            await files.CreateResultIfAbsentAsync(Legs.Leg(worker, leg: 1, inserted: 10) with { Seconds = seconds }, Cancellation);
        }

        var legs = await files.ReadLegsAsync(Cancellation);

        Assert.Equal([1_000L, 1_001, 1_002], legs.Latencies!.Keys.Order());
        Assert.All(legs.Latencies.Values, packed =>
        {
            var merged = packed.Unpack();
            Assert.Equal((Workers - 1, (Workers - 1) * 1_000L), (merged.Count, merged.MaxRecordedMicroseconds));
            Assert.Equal((Workers - 1) * Workers / 2 * 1_000L, merged.SumMicroseconds);
        });
        Assert.All(legs.Results.SelectMany(leg => leg.Seconds), sample => Assert.Null(sample.Latency));
    }

    /// <summary>Somebody may restore what was set aside under the name that it was given.</summary>
    [Fact]
    public async Task ReadLegs_ResultThatWasSetAsideIsWholeNow_SaysWhoSetItAsideAndWhy()
    {
        var store = new MemoryRunStore();
        var files = new RunFiles(store, "test");
        await files.CreateResultIfAbsentAsync(Legs.Leg(0, 1), Cancellation);
        var whole = (await store.ReadAsync("test", LegNames.Result(0, 1), Cancellation))!;
        await store.WriteAsync("test", LegNames.Result(0, 1), "{"u8.ToArray(), Cancellation);
        await files.ReadOrSetAsideResultAsync(0, 1, Cancellation);
        await store.WriteAsync("test", "legs/0000/000001/result.damaged-1.json", whole, Cancellation);
        await files.CreateResultIfAbsentAsync(Legs.Leg(0, 2), Cancellation);
        var second = (await store.ReadAsync("test", LegNames.Result(0, 2), Cancellation))!;
        await store.WriteAsync("test", "legs/0000/000002/result.damaged-1.json", second, Cancellation);

        var damaged = (await files.ReadLegsAsync(Cancellation)).Damaged;

        Assert.StartsWith("it is no valid JSON", damaged[0].Reason, StringComparison.Ordinal);
        Assert.Contains($", when process {Environment.ProcessId} of {Environment.MachineName} set it aside at 20", damaged[0].Reason,
            StringComparison.Ordinal);
        Assert.Equal("it was set aside by hand", damaged[1].Reason);
    }

    private static LegResult Leg(int worker) => Legs.Leg(worker, leg: 1, inserted: 10) with
    {
        Partitions =
        [
            .. Enumerable.Range(0, Partitions).Select(partition => new PartitionSample
            {
                Min = partition.ToString("X4", CultureInfo.InvariantCulture),
                Max = (partition + 1).ToString("X4", CultureInfo.InvariantCulture),
                Counts = new() { Attempts = Seconds },
                FirstSecond = 1_000,
                RequestUnitsPerSecond = [.. Enumerable.Repeat(1.0, Seconds)],
            }),
        ],
    };
}
