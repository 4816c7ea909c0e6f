namespace ScaleOut.Tests.Workers.Telemetry;

public sealed class OperationSamplerTests
{
    private readonly OperationSampler _sampler = new(worker: 0, workers: 1, now: 0, Stopwatch.Frequency);

    [Fact]
    public void Weight_FastOperations_OneInAThousandCountsForAThousand()
    {
        var weights = Enumerable.Range(0, 25_500).Select(_ => WeightOf(0, milliseconds: 100)).Where(weight => weight > 0).ToList();
        Assert.Equal(25, weights.Count);
        Assert.All(weights, weight => Assert.Equal(1_000, weight));
    }

    [Fact]
    public void Weight_SlowOperations_EachCountsForItself()
    {
        var weights = Enumerable.Range(0, 500).Select(i => WeightOf(startedAt: i / 25.0, milliseconds: 100.1));
        Assert.All(weights, weight => Assert.Equal(1, weight));
    }

    [Fact]
    public void Weight_MoreSlowOperationsThanASecondMayReport_NextOneCountsForTheRest()
    {
        var weights = Enumerable.Range(0, 5_000).Select(i => WeightOf(i / 1_000.0, milliseconds: 500)).Where(weight => weight > 0).ToList();
        weights.Add(WeightOf(startedAt: 100, milliseconds: 500));
        Assert.InRange(
            weights.Count, 5 * TelemetrySampling.SlowOperationsPerSecond, (6 * TelemetrySampling.SlowOperationsPerSecond) + 1);
        Assert.Equal(5_001, weights.Sum());
    }

    [Theory]
    [InlineData(3)]
    [InlineData(20)]
    [InlineData(50)]
    [InlineData(990)]
    public void Weight_AllOperationsOfManyWorkersAreSlow_ReportTheRunsShareTogether(int workers)
    {
        const int seconds = 100;
        var samplers = Enumerable.Range(0, workers).Select(worker => new OperationSampler(worker, workers, now: 0, Stopwatch.Frequency));
        var counts = samplers.Select(
            sampler => Enumerable.Range(0, seconds * 20).Count(i => WeightOf(sampler, i / 20.0, milliseconds: 101) > 0)).ToList();

        // What was saved before the start is one second's.
        Assert.InRange(
            counts.Sum() / TelemetrySampling.SlowOperationsPerSecond, seconds - 3, seconds + 1);
        Assert.InRange(counts.Max() - counts.Min(), 0, 2);
    }

    [Fact]
    public async Task Weight_ManyThreads_LosesNone()
    {
        long SumOfMany() => Enumerable.Range(0, 10_000).Sum(_ => WeightOf(0, 1));
        var sums = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(SumOfMany)));
        Assert.Equal(80_000, sums.Sum());
    }

    private long WeightOf(double startedAt, double milliseconds) => WeightOf(_sampler, startedAt, milliseconds);

    private static long WeightOf(OperationSampler sampler, double startedAt, double milliseconds)
    {
        var start = (long)(startedAt * Stopwatch.Frequency);
        return sampler.WeightOf(start, start + (long)(milliseconds / 1000 * Stopwatch.Frequency));
    }
}
