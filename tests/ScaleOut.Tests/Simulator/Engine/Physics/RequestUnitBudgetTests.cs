using FsCheck.Fluent;
using FsCheck;

namespace ScaleOut.Tests.Simulator.Engine.Physics;

public sealed class RequestUnitBudgetTests
{
    private readonly ManualTime _time = new(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero));
    private readonly AccountClock _clock;

    public RequestUnitBudgetTests() => _clock = new AccountClock(_time);

    [Fact]
    public void TryAdmit_PositiveBalance_AdmitsOperationsThatCostMore()
    {
        var budget = Create(10);
        Assert.True(Spend(budget, 9.99));
        Assert.True(Spend(budget, 50));
        Assert.False(Spend(budget, 1));
    }

    [Fact]
    public void TryAdmit_DebtOfSeveralSeconds_IsPaidBeforeTheNextOperation()
    {
        var budget = Create(10);
        Spend(budget, 45);

        // 10 - 45 = -35: three whole shares still leave -5, the fourth leaves 5.
        _time.Advance(TimeSpan.FromMilliseconds(300));
        Assert.False(budget.TryAdmit(_clock.NowTicks, out var retryAfterMs));
        Assert.Equal(3_700, retryAfterMs);
        _time.Advance(TimeSpan.FromMilliseconds(3_699));
        Assert.False(budget.TryAdmit(_clock.NowTicks, out retryAfterMs));
        Assert.Equal(1, retryAfterMs);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(budget.TryAdmit(_clock.NowTicks, out _));
    }

    [Fact]
    public void TryAdmit_BalanceExactlyZero_WaitsForTheNextSecond()
    {
        var budget = Create(10);
        Spend(budget, 10);
        Assert.False(budget.TryAdmit(_clock.NowTicks, out var retryAfterMs));
        Assert.Equal(1_000, retryAfterMs);
    }

    [Fact]
    public void TryAdmit_UnusedSeconds_AreLostWithoutBurst()
    {
        var budget = Create(10);
        _time.Advance(TimeSpan.FromSeconds(100));
        Assert.True(Spend(budget, 10));
        Assert.False(Spend(budget, 1));
    }

    [Fact]
    public void TryAdmit_Burst_SpendsWhatWasBankedAtNoMoreThan3000PerSecond()
    {
        var budget = Create(1_000, burst: true);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(3_000, SpendAll(budget, 10));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(3_000, SpendAll(budget, 10));
    }

    [Fact]
    public void TryAdmit_LongIdleBurst_BanksAtMost300Seconds()
    {
        var budget = Create(100, burst: true);
        _time.Advance(TimeSpan.FromHours(5));
        double spent = 0;
        for (var second = 0; second < 20; second++)
        {
            spent += SpendAll(budget, 10);
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        // 300 banked seconds and 20 new ones.
        Assert.InRange(spent, 100 * 319, (100 * 320) + 10);
    }

    [Fact]
    public void TryAdmit_LargePartition_HasNoBurst()
    {
        var budget = Create(3_000, burst: true);
        _time.Advance(TimeSpan.FromSeconds(100));
        Assert.Equal(3_000, SpendAll(budget, 10));
    }

    [Fact]
    public void Rescale_InTheMiddleOfASecond_GivesTheDifferenceAtOnce()
    {
        var budget = Create(10);
        Spend(budget, 15);
        budget.Rescale(20);
        Assert.True(Spend(budget, 1));
        Assert.Equal(20, budget.UnitsPerSecond);
    }

    [Fact]
    public void TryAdmit_AnyLoad_NeverSpendsMoreThanItsShareAndOneOperation() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(200), Prop.ForAll(
            Gen.Choose(1, 500).ToArbitrary(), Gen.Choose(1, 3_000).ToArbitrary(), Gen.Choose(1, 400).ToArbitrary(), (share, cost, stepMs) =>
            {
                var time = new ManualTime(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero));
                var clock = new AccountClock(time);
                var budget = new RequestUnitBudget(share, burst: false, clock.NowTicks);
                double spent = 0;
                var seconds = 0;
                for (var ms = 0; ms < 20_000; ms += stepMs)
                {
                    seconds = (ms / 1000) + 1;
                    while (budget.TryAdmit(clock.NowTicks, out var retryAfterMs))
                    {
                        budget.Charge(RequestUnits.From(cost / 100.0));
                        spent += cost / 100.0;
                        Assert.Equal(0, retryAfterMs);
                    }

                    time.Advance(TimeSpan.FromMilliseconds(stepMs));
                }

                Assert.True(spent <= ((double)share * seconds) + (cost / 100.0) + 1e-6, $"{spent} in {seconds} s of {share}");
                // A share is lost only when the last of a debt is paid, so the long-run rate is the share.
                Assert.True(spent >= ((double)share * seconds) - share - 1e-6, $"{spent} in {seconds} s of {share}");
            }));

    [Fact]
    public void TryAdmit_LowPriorityAlone_HasTheWholeBudget() => Assert.Equal(10, SpendAll(Create(10), 1, isLow: true));

    /// <summary>Low priority gets what high priority left in the last second, or nothing if high priority was throttled.</summary>
    [Fact]
    public void TryAdmit_LowPriorityBesideHigh_IsThrottledFirst()
    {
        var budget = Create(10);
        for (var i = 0; i < 6; i++)
            Assert.True(Spend(budget, 1));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(4, SpendAll(budget, 1, isLow: true));
        Assert.Equal(6, SpendAll(budget, 1));

        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(Spend(budget, 1, isLow: true));
        Assert.True(Spend(budget, 1));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(9, SpendAll(budget, 1, isLow: true));
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(10, SpendAll(budget, 1, isLow: true));
    }

    [Fact]
    public void Join_TwoBudgets_AddUp()
    {
        var one = Create(10);
        var other = Create(30);
        Spend(one, 4);
        Spend(other, 50);
        var joined = one.Join(other, _clock.NowTicks);

        Assert.Equal(40, joined.UnitsPerSecond);
        // One has 6 left, and the other owes 20.
        Assert.False(Spend(joined, 1));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(26, SpendAll(joined, 1));
    }

    [Fact]
    public void Halve_BudgetWithABank_HasHalfOfTheShareAndOfTheBank()
    {
        var budget = Create(100, burst: true);
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.True(Spend(budget, 100));
        // 400 RU of four seconds are banked.
        var (one, other) = (budget.Halve(), budget.Halve());
        Assert.Equal((50, 50), (one.UnitsPerSecond, other.UnitsPerSecond));
        Assert.Equal((200, 200), (SpendAll(one, 1), SpendAll(other, 1)));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((50, 50), (SpendAll(one, 1), SpendAll(other, 1)));
    }

    private RequestUnitBudget Create(double share, bool burst = false) => new(share, burst, _clock.NowTicks);

    private bool Spend(RequestUnitBudget budget, double units, bool isLow = false)
    {
        if (!budget.TryAdmit(_clock.NowTicks, out _, isLow))
            return false;
        budget.Charge(RequestUnits.From(units), isLow);
        return true;
    }

    private double SpendAll(RequestUnitBudget budget, double units, bool isLow = false)
    {
        double spent = 0;
        while (Spend(budget, units, isLow))
            spent += units;
        return spent;
    }
}

public sealed class BucketBudgetsTests
{
    private readonly long _now = DateTimeOffset.UnixEpoch.AddYears(56).Ticks;

    [Fact]
    public void Share_OtherThroughputOrPercentage_IsTheBucketsShareOfTheWhole()
    {
        var whole = new RequestUnitBudget(1_000, burst: false, _now);
        var buckets = new BucketBudgets(whole);
        buckets.Share([new(1, 20), new(5, 100)], _now);
        Assert.Equal((200, null, 1_000), (buckets[1]!.UnitsPerSecond, buckets[2], buckets[5]!.UnitsPerSecond));

        whole.Rescale(3_000);
        buckets.Share([new(1, 10), new(2, 50)], _now);

        Assert.Equal((300, 1_500, null), (buckets[1]!.UnitsPerSecond, buckets[2]!.UnitsPerSecond, buckets[5]));
        Assert.Null(buckets[0]);
    }
}

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
