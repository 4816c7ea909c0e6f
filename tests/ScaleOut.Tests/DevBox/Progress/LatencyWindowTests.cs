namespace ScaleOut.Tests.DevBox.Progress;

public class LatencyWindowTests
{
    [Fact]
    public void At_ReportsOfSeveralWorkers_AreMergedByCount()
    {
        var window = new LatencyWindow();
        window.Add(TimeSpan.FromSeconds(1), [new LatencyBucket(4, 60), new LatencyBucket(64, 1)]);
        window.Add(TimeSpan.FromSeconds(2), [new LatencyBucket(8, 38), new LatencyBucket(64, 1)]);

        Assert.Equal(new LiveLatency(4, 64), window.At(TimeSpan.FromSeconds(2)));
    }

    [Fact]
    public void At_LongerAgoThanTheWindow_IsForgotten()
    {
        var window = new LatencyWindow();
        window.Add(TimeSpan.FromSeconds(1), [new LatencyBucket(500, 1_000)]);
        window.Add(TimeSpan.FromSeconds(12), [new LatencyBucket(4, 1)]);

        Assert.Equal(new LiveLatency(4, 4), window.At(TimeSpan.FromSeconds(12)));
        Assert.Null(window.At(TimeSpan.FromSeconds(23)));
        Assert.Null(new LatencyWindow().At(TimeSpan.Zero));
    }
}
