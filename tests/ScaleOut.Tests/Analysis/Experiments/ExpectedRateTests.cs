using ScaleOut.Analysis.Experiments.Building;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExpectedRateTests
{
    private static readonly RunSpec Spec = new() { Documents = 100_000, Workers = 1, Container = new() { Throughput = 10_000 } };

    [Fact]
    public void From_ManyInFlight_IsTheBudgetOverTheCharge() =>
        Assert.Equal(
            10_000 / 5.75, ExpectedRate.From(Spec with { Client = new() { Concurrency = 40 } }, simulated: true)!.Value, precision: 3);

    [Fact]
    public void From_FewInFlight_IsThoseOverTheLatency()
    {
        Assert.Equal(1 / 0.0053, ExpectedRate.From(Spec with { Client = new() { Concurrency = 1 } }, simulated: true)!.Value, precision: 3);
        Assert.Equal(
            1 / 0.0073,
            ExpectedRate.From(
                Spec with { Client = new() { Concurrency = 1, ConnectionMode = ConnectionMode.Gateway } }, simulated: true)!.Value,
            precision: 3);
    }

    [Fact]
    public void From_RealAccount_KnowsTheBudgetOnly() =>
        Assert.Equal(
            10_000 / 5.75, ExpectedRate.From(Spec with { Client = new() { Concurrency = 1 } }, simulated: false)!.Value, precision: 3);

    [Fact]
    public void From_NamedContainerOfARealAccount_IsNotKnown() =>
        Assert.Null(ExpectedRate.From(Spec with { Container = new() { Name = "orders" } }, simulated: false));

    [Fact]
    public void From_OpenLoop_IsTheRateAsked() =>
        Assert.Equal(
            300, ExpectedRate.From(Spec with { Workers = 3, Client = new() { Rate = 100 } }, simulated: true)!.Value, precision: 0);
}
