namespace ScaleOut.Tests.Shared.Progress;

public class LatencyWindowTests
{
    [Fact]
    public void At_ReportsOfSeveralWorkers_HasThePercentilesOfAllTogether()
    {
        var window = new LatencyWindow();
        window.Add(TimeSpan.FromSeconds(1), Latencies((4, 60), (64, 1)));
        window.Add(TimeSpan.FromSeconds(2), Latencies((8, 38), (64, 1)));
        var latency = window.At(TimeSpan.FromSeconds(2))!;

        Assert.InRange(latency.P50!.Value, 3.75, 4.25);
        Assert.InRange(latency.P99!.Value, 60, 68);
    }

    [Fact]
    public void At_LongerAgoThanTheWindow_IsForgotten()
    {
        var window = new LatencyWindow();
        window.Add(TimeSpan.FromSeconds(1), Latencies((500, 1_000)));
        window.Add(TimeSpan.FromSeconds(12), Latencies((4, 1)));

        Assert.InRange(window.At(TimeSpan.FromSeconds(12))!.Max!.Value, 3.75, 4.25);
        Assert.Null(window.At(TimeSpan.FromSeconds(23)));
        Assert.Null(new LatencyWindow().At(TimeSpan.Zero));
    }

    private static PackedHistogram Latencies(params (double Ms, int Count)[] latencies)
    {
        var histogram = LatencyHistogram.Coarse();
        foreach (var (ms, count) in latencies)
        {
            for (var i = 0; i < count; i++)
                histogram.Record(TimeSpan.FromMilliseconds(ms));
        }

        return PackedHistogram.From(histogram);
    }
}
