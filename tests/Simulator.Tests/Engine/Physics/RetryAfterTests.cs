namespace ScaleOut.Tests.Simulator.Engine.Physics;

public sealed class RetryAfterTests
{
    private readonly ManualTime _time = new(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero));

    [Fact]
    public void TryAdmit_ManyAtOneInstant_GetDifferentWaits()
    {
        var budget = Create(new ThrottlingSpec(), spent: 10);
        _time.Advance(TimeSpan.FromMilliseconds(400));
        var waits = Waits(budget, 1_000);
        // 600 ms of the second are left: waits are between half of that and one and a half times that.
        Assert.All(waits, wait => Assert.InRange(wait, 300, 900));
        Assert.InRange(waits.Average(), 580, 620);
        Assert.True(waits.Distinct().Count() > 300, $"{waits.Distinct().Count()} different waits");
    }

    [Fact]
    public void TryAdmit_BoundsGiven_StaysWithinThem()
    {
        var budget = Create(new ThrottlingSpec { RetryAfterMinMs = 50, RetryAfterMaxMs = 120 }, spent: 25);
        Assert.All(Waits(budget, 100), wait => Assert.Equal(120, wait));
        _time.Advance(TimeSpan.FromMilliseconds(1_995));
        Assert.All(Waits(budget, 100), wait => Assert.Equal(50, wait));
    }

    [Fact]
    public void TryAdmit_NoSpread_IsTheTimeUntilTheBalanceIsPositive()
    {
        var budget = Create(new ThrottlingSpec { RetryAfterSpread = 0 }, spent: 10);
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.All(Waits(budget, 10), wait => Assert.Equal(750, wait));
    }

    [Fact]
    public void Halve_UsedUp_KeepsRetryAfter()
    {
        var half = Create(new ThrottlingSpec { RetryAfterMaxMs = 77, RetryAfterSpread = 0 }, spent: 10).Halve();
        Assert.Equal([77], Waits(half, 1));
    }

    [Fact]
    public void Utilization_AtAnyTime_IsThatOfThisSecondOrTheLast()
    {
        var budget = Create(new ThrottlingSpec(), spent: 4);
        Assert.Equal(0.4, budget.Utilization, 9);
        _time.Advance(TimeSpan.FromSeconds(1));
        budget.TryAdmit(Now, out _);
        Assert.Equal(0.4, budget.Utilization, 9);
        budget.Charge(RequestUnits.From(15));
        Assert.Equal(1, budget.Utilization, 9);

        _time.Advance(TimeSpan.FromSeconds(5));
        budget.TryAdmit(Now, out _);
        Assert.Equal(0, budget.Utilization, 9);
    }

    private long Now => new AccountClock(_time).NowTicks;

    /// <summary>A budget of 10 RU/s of which some are spent.</summary>
    private RequestUnitBudget Create(ThrottlingSpec throttling, double spent)
    {
        var budget = new RequestUnitBudget(10, burst: false, Now, new RetryAfter(throttling, new SeededNoise(1)));
        budget.Charge(RequestUnits.From(spent));
        return budget;
    }

    private int[] Waits(RequestUnitBudget budget, int count) => [.. Enumerable.Range(0, count).Select(_ =>
    {
        Assert.False(budget.TryAdmit(Now, out var retryAfterMs));
        return retryAfterMs;
    })];
}
