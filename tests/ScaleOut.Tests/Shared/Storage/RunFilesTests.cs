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
