namespace ScaleOut.Tests.Simulator.Accounts;

public sealed class PeakMemoryEstimateTests
{
    [Theory]
    [InlineData(155, 4, 0)]
    [InlineData(1_725, 32, 2)]
    [InlineData(1_725, 1, 1)]
    public void MaxDocumentsIn_TheirNeed_IsTheirNumber(double bodyBytes, int partitions, int moving)
    {
        var bytes = PeakMemoryEstimate.From(3_000_000, bodyBytes, partitions, moving);
        Assert.InRange(PeakMemoryEstimate.MaxDocumentsIn(bytes, bodyBytes, partitions, moving), 2_999_990, 3_000_000);
        Assert.Equal(0, PeakMemoryEstimate.MaxDocumentsIn(1_000, bodyBytes, partitions, moving));
    }
}
