namespace ScaleOut.Tests.Shared.Measurement;

public sealed class DeliveredDelaysTests
{
    /// <summary>Up to 10 ms, 1 ms is allowed. From there on, 10% is allowed.</summary>
    [Theory]
    [InlineData(0, 1, false)]
    [InlineData(0, 1.01, true)]
    [InlineData(5, 6, false)]
    [InlineData(5, 6.01, true)]
    [InlineData(5, 1, false)]
    [InlineData(100, 110, false)]
    [InlineData(100, 110.01, true)]
    public void IsSlip_AnyDelay_AllowsAMillisecondOrATenth(double configured, double delivered, bool isSlip) =>
        Assert.Equal(isSlip, DeliveredDelays.IsSlip(TimeSpan.FromMilliseconds(configured), TimeSpan.FromMilliseconds(delivered)));

    /// <summary>Of 1,000 responses, 10 may be late. The median is 4 ms, the 99th percentile 20 ms: 1 ms and 2 ms are allowed.</summary>
    [Theory]
    [InlineData(11, 1.01, 20, true)]
    [InlineData(11, 0, 22.01, true)]
    [InlineData(11, 1, 22, false)]
    [InlineData(10, 1.01, 22.01, false)]
    public void HaveSlipped_AnyRun_NeedsLateResponsesAndALateQuantile(long slipped, double medianSlip, double deliveredP99, bool have) =>
        Assert.Equal(have, Delays(slipped, medianSlip, deliveredP99).HaveSlipped);

    [Fact]
    public void HaveSlipped_UnknownQuantile_IsLate()
    {
        Assert.True(Delays(slipped: 11, medianSlip: null, deliveredP99: 20).HaveSlipped);
        Assert.True(Delays(slipped: 11, medianSlip: 0, deliveredP99: null).HaveSlipped);
    }

    private static DeliveredDelays Delays(long slipped, double? medianSlip, double? deliveredP99) => new()
    {
        Responses = 1_000, Slipped = slipped, Configured = new() { P50 = 4, P99 = 20 }, Delivered = new() { P50 = 4, P99 = deliveredP99 },
        Slip = new() { P50 = medianSlip },
    };
}
