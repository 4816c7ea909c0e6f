using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Charges;

namespace ScaleOut.Tests.Charges;

public sealed class RequestChargeTests
{
    [Theory]
    [InlineData(155, 4, 5.71)]
    [InlineData(155, 0, 4.95)]
    [InlineData(1_024, 0, 4.95)]
    [InlineData(100 * 1_024, 0, 49.5)]
    [InlineData(2 * 1_024, 4, 7.76)]
    public void Write_PublishedPoint_IsNear(long bytes, int leaves, double charge) => Assert.Equal(charge, RequestCharge.Write(bytes, leaves));

    [Theory]
    [InlineData(10, 1)]
    [InlineData(1_024, 1)]
    [InlineData(100 * 1_024, 10)]
    public void Read_PublishedPoint_IsNear(long bytes, double charge) => Assert.Equal(charge, RequestCharge.Read(bytes));

    [Theory]
    [InlineData(9, 2, 29)]
    [InlineData(1, 0.4, 3.4)]
    public void Query_PublishedPoint_IsNear(int partitions, double readCharge, double charge) => Assert.Equal(charge, RequestCharge.Query(partitions, readCharge));

    [Fact]
    public void Write_LargerDocumentOrMoreLeaves_NeverCostsLess() => Prop.ForAll(
        ArbMap.Default.ArbFor<NonNegativeInt>(), ArbMap.Default.ArbFor<NonNegativeInt>(),
        (bytes, leaves) =>
        {
            var charge = RequestCharge.Write(bytes.Get, leaves.Get);
            return RequestCharge.Write(bytes.Get * 2L, leaves.Get) >= charge && RequestCharge.Write(bytes.Get, leaves.Get + 1) > charge;
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Write_NegativeSize_Throws() => Assert.Throws<ArgumentOutOfRangeException>(() => RequestCharge.Write(-1, 0));
}
