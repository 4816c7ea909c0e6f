using FsCheck;
using FsCheck.Fluent;

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

    /// <summary>A bank of 300 x 1,000 RU that is full lasts for 150 s at 3,000 RU/s.</summary>
    [Theory]
    [InlineData(1, 150)]
    [InlineData(0.5, 75)]
    [InlineData(0, 0)]
    public void TryAdmit_BankThatIsFullAtTheStart_IsSpentAtOnce(double bankShare, int seconds)
    {
        var budget = new RequestUnitBudget(1_000, burst: true, _clock.NowTicks, bankShare: bankShare);
        for (var second = 0; second < seconds + 10; second++)
        {
            Assert.Equal(second < seconds ? 3_000 : 1_000, SpendAll(budget, 10));
            _time.Advance(TimeSpan.FromSeconds(1));
        }
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
        // 10 - 15 + 10.
        Assert.Equal(5, SpendAll(budget, 1));
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

    [Fact]
    public void Halve_UsedBudget_HasHalfOfWhatIsLeftAndOfWhatWasSpent()
    {
        var budget = Create(100);
        Spend(budget, 40);
        var half = budget.Halve();
        Assert.Equal(0.4, half.Utilization, 9);
        Assert.Equal(30, SpendAll(half, 1));

        _time.Advance(TimeSpan.FromSeconds(1));
        Spend(budget, 10);
        half = budget.Halve();
        Assert.Equal(0.4, half.Utilization, 9);
        // Of 45, 15 are kept for high priority, which has spent 5 of the 20 that it spent in the second before.
        Assert.Equal(30, SpendAll(half, 1, isLow: true));
    }

    [Fact]
    public void Halve_SharedBudget_StaysShared()
    {
        var shared = new RequestUnitBudget(100, burst: false, _clock.NowTicks, sharing: new Lock());
        Assert.Same(shared, shared.Halve());
    }

    [Fact]
    public void CreatePart_OfABudgetWithBurst_HasNone()
    {
        var part = Create(1_000, burst: true).CreatePart(100, _clock.NowTicks);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(100, SpendAll(part, 1));
    }

    [Fact]
    public void TryAdmit_OperationThatMayNotBurst_LeavesTheBank()
    {
        var budget = Create(100, burst: true);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(budget.TryAdmit(_clock.NowTicks, out _, mayBurst: false));
        budget.Charge(RequestUnits.From(150), mayBurst: false);

        Assert.False(budget.TryAdmit(_clock.NowTicks, out _, mayBurst: false));
        // 1,000 are banked, of which 50 pay the debt.
        Assert.Equal(950, SpendAll(budget, 1));
    }

    [Fact]
    public void TryAdmit_LowPriorityBesideHigh_DoesNotUseTheBank()
    {
        var budget = Create(100, burst: true);
        _time.Advance(TimeSpan.FromSeconds(10));
        for (var i = 0; i < 60; i++)
            Spend(budget, 1);
        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(40, SpendAll(budget, 1, isLow: true));
    }

    [Fact]
    public void TryAdmit_LowPriorityAfterAPause_HasTheWholeBudget()
    {
        var budget = Create(10);
        Spend(budget, 6);
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(10, SpendAll(budget, 1, isLow: true));
    }

    [Fact]
    public void Join_BudgetsOfThePreviousSecond_BeginTheNewOneTogether()
    {
        var (one, other) = (Create(10), Create(30));
        Spend(one, 4);
        Spend(other, 12);
        Assert.Equal(0.4, one.Join(other, _clock.NowTicks).Utilization, 9);

        _time.Advance(TimeSpan.FromSeconds(1));
        var joined = one.Join(other, _clock.NowTicks);

        Assert.Equal(0.4, joined.Utilization, 9);
        // High priority spent 16 of the 40.
        Assert.Equal(24, SpendAll(joined, 1, isLow: true));
        Assert.Equal(16, SpendAll(joined, 1));
    }

    [Fact]
    public void Join_OneWasThrottled_LowPriorityWaits()
    {
        var (one, other) = (Create(10), Create(30));
        SpendAll(one, 10);
        var joined = one.Join(other, _clock.NowTicks);
        Assert.False(Spend(joined, 1, isLow: true));
        Assert.True(Spend(joined, 1));
    }

    [Fact]
    public void Join_BudgetsWithBanks_AddsThem()
    {
        var (one, other) = (Create(100, burst: true), Create(50, burst: true));
        _time.Advance(TimeSpan.FromSeconds(4));
        // Four seconds of both are banked, and one is granted.
        Assert.Equal(150 + (4 * 150), SpendAll(one.Join(other, _clock.NowTicks), 1));
    }

    [Fact]
    public void Rescale_SmallerShare_KeepsAtMostItsBank()
    {
        var budget = Create(1_000, burst: true);
        _time.Advance(TimeSpan.FromSeconds(400));
        Spend(budget, 1);
        budget.Rescale(5);
        // Of the running second 999 - 995 are left, and of the bank 300 seconds of the new share.
        Assert.Equal(4 + (300 * 5), SpendAll(budget, 1));
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
