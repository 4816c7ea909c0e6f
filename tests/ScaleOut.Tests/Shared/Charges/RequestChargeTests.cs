using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Charges;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Tests.Shared.Charges;

public sealed class RequestChargeTests
{
    [Theory]
    [InlineData(155, 4, 5.71)]
    [InlineData(155, 0, 4.95)]
    [InlineData(1_024, 0, 4.95)]
    [InlineData(100 * 1_024, 0, 49.5)]
    [InlineData(2 * 1_024, 4, 7.76)]
    public void Write_PublishedPoint_IsNear(long bytes, int leaves, double charge) =>
        Assert.Equal(charge, RequestCharge.Write(bytes, leaves));

    [Theory]
    [InlineData(10, 1)]
    [InlineData(1_024, 1)]
    [InlineData(100 * 1_024, 10)]
    public void Read_PublishedPoint_IsNear(long bytes, double charge) => Assert.Equal(charge, RequestCharge.Read(bytes));

    [Theory]
    [InlineData(9, 0.2, 29)]
    [InlineData(1, 0.2, 3.4)]
    public void Query_PublishedPoint_IsNear(int partitions, double readCharge, double charge) =>
        Assert.Equal(charge, RequestCharge.Query(partitions, readCharge));

    [Fact]
    public void Write_LargerDocumentOrMoreLeaves_NeverCostsLess() => Prop.ForAll(
        ArbMap.Default.ArbFor<NonNegativeInt>(), ArbMap.Default.ArbFor<NonNegativeInt>(),
        (bytes, leaves) =>
        {
            var charge = RequestCharge.Write(bytes.Get, leaves.Get);
            return RequestCharge.Write(bytes.Get * 2L, leaves.Get) >= charge && RequestCharge.Write(bytes.Get, leaves.Get + 1) > charge;
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Write_AnySize_IsWhatTheSimulatedAccountCharges()
    {
        for (var bytes = 0; bytes < 2_100_000; bytes += 1 + bytes / 50)
        {
            Assert.Equal(RequestCharges.Write(bytes, bytes % 30).Value, RequestCharge.Write(bytes, bytes % 30));
            Assert.Equal(RequestCharges.Read(bytes).Value, RequestCharge.Read(bytes));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(9)]
    public void Query_OneSmallDocument_IsWhatTheSimulatedAccountCharges(int partitions)
    {
        var pages = Enumerable.Range(0, partitions).Sum(partition => RequestCharges.QueryPage(partition == 0 ? 155 : 0).Hundredths);

        Assert.Equal(pages / 100.0, RequestCharge.Query(partitions, 0.2));
    }

    [Theory]
    [InlineData("/SomeText/?")]
    [InlineData("/SomeText/*")]
    [InlineData("/\"with / slash\"/*")]
    [InlineData("/a/[]/b/?")]
    [InlineData("/a b/?")]
    [InlineData("/ä-1/?")]
    public void ExcludedPath_ThatValidationAccepts_IsAcceptedByTheSimulatedAccount(string path)
    {
        Assert.Empty(RunSpecReader.Check(new RunSpec { Container = new ContainerSpec { ExcludedPaths = [path] } }).Errors);
        Assert.True(IndexingPolicy.Create(IndexingMode.Consistent, ["/*"], [path]).ChargesLeaves);
    }

    [Fact]
    public void Write_NegativeSize_Throws() => Assert.Throws<ArgumentOutOfRangeException>(() => RequestCharge.Write(-1, 0));
}
