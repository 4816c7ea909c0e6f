using ScaleOut.Analysis.Experiments.Building;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExpectedRateTests
{
    private static readonly RunSpec Plan = new() { Documents = 100_000, Workers = 1, Container = new() { Throughput = 10_000 } };

    [Fact]
    public void Of_ManyInFlight_IsTheBudgetOverTheCharge() => Assert.Equal(10_000 / 5.71, ExpectedRate.Of(Plan with { Client = new() { Concurrency = 40 } }, simulated: true)!.Value, precision: 3);

    [Fact]
    public void Of_FewInFlight_IsThoseOverTheLatency()
    {
        Assert.Equal(1 / 0.0053, ExpectedRate.Of(Plan with { Client = new() { Concurrency = 1 } }, simulated: true)!.Value, precision: 3);
        Assert.Equal(1 / 0.0073, ExpectedRate.Of(Plan with { Client = new() { Concurrency = 1, ConnectionMode = ConnectionMode.Gateway } }, simulated: true)!.Value, precision: 3);
    }

    [Fact]
    public void Of_RealAccount_KnowsTheBudgetOnly() => Assert.Equal(10_000 / 5.71, ExpectedRate.Of(Plan with { Client = new() { Concurrency = 1 } }, simulated: false)!.Value, precision: 3);

    [Fact]
    public void Of_NamedContainerOfARealAccount_IsNotKnown() => Assert.Null(ExpectedRate.Of(Plan with { Container = new() { Name = "orders" } }, simulated: false));

    [Fact]
    public void Of_OpenLoop_IsTheRateAsked() => Assert.Equal(300, ExpectedRate.Of(Plan with { Workers = 3, Client = new() { Rate = 100 } }, simulated: true)!.Value, precision: 0);
}
