namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// The request units of one physical partition. Every UTC second adds the partition's share to the balance. Operations are admitted while
/// the balance is positive. They may take it below zero, and the debt stays. Unused units are lost, or are banked if burst is on.
/// Thread-safe only if shared.
/// </summary>
/// <remarks>
/// The service throttles low priority first, and reserves nothing for high priority. This model estimates the demand of high priority from
/// the previous second, and admits low priority only to the rest of the budget. Low priority is not admitted in a second in which high
/// priority was throttled, nor in the next one.
/// </remarks>
internal sealed class RequestUnitBudget
{
    private const double PartsPerUnit = RequestUnits.PerUnit;
    private const double BurstUnitsPerSecond = SimulationSpec.BurstRequestUnitsPerSecond;
    private const double BurstBankSeconds = SimulationSpec.BurstBankSeconds;

    private readonly bool _burst;
    private readonly RetryAfter? _retryAfter;

    /// <summary>Guards a budget that several partitions share; null for a partition's own.</summary>
    private readonly Lock? _sharing;
    private double _perSecond;
    private double _balance;
    private double _banked;
    private double _spent;
    private double _spentBefore;
    private HighPriority _high;
    private HighPriority _highBefore;
    private long _second;

    /// <param name="nowTicks">Time of the <see cref="AccountClock"/>; the first second is granted whole.</param>
    /// <param name="retryAfter">Null to return the exact time.</param>
    /// <param name="sharing">Null unless several partitions share it.</param>
    /// <param name="bankShare">Share of the burst bank that is full, 0 to 1.</param>
    public RequestUnitBudget(
        double unitsPerSecond, bool burst, long nowTicks, RetryAfter? retryAfter = null, Lock? sharing = null, double bankShare = 0)
    {
        _burst = burst;
        _retryAfter = retryAfter;
        _sharing = sharing;
        _perSecond = unitsPerSecond * PartsPerUnit;
        _balance = _perSecond;
        _banked = bankShare * BurstBankSeconds * _perSecond;
        _second = AccountClock.UnixSecond(nowTicks);
    }

    private RequestUnitBudget(RequestUnitBudget parent)
    {
        _burst = parent._burst;
        _retryAfter = parent._retryAfter;
        _perSecond = parent._perSecond / 2;
        _balance = parent._balance / 2;
        _banked = parent._banked / 2;
        _spent = parent._spent / 2;
        _spentBefore = parent._spentBefore / 2;
        _high = parent._high with { Spent = parent._high.Spent / 2 };
        _highBefore = parent._highBefore with { Spent = parent._highBefore.Spent / 2 };
        _second = parent._second;
    }

    public double UnitsPerSecond => _perSecond / PartsPerUnit;

    /// <summary>Share of the budget in use, 0 to 1: of this second so far or of the last one. Read without a lock.</summary>
    public double Utilization => Math.Clamp(Math.Max(_spent, _spentBefore) / _perSecond, 0, 1);

    private bool CanBurst => _burst && UnitsPerSecond < BurstUnitsPerSecond;

    /// <summary>Whether an operation may start now; if not, after how many milliseconds (1 and more) the client is to try again.</summary>
    public bool TryAdmit(long nowTicks, out int retryAfterMs, bool isLow = false, bool mayBurst = true)
    {
        using var shared = EnterIfShared();
        RollTo(AccountClock.UnixSecond(nowTicks));
        retryAfterMs = 0;
        var kept = isLow ? ReservedForHighPriority() : 0;
        if (_balance > kept || _retryAfter is { IsOff: true }
            || (kept == 0 && mayBurst && CanBurst && _banked > 0 && _spent < BurstUnitsPerSecond * PartsPerUnit))
            return true;

        _high = _high with { WasThrottled = _high.WasThrottled || !isLow };
        var seconds = Math.Max(1, Math.Floor(-_balance / _perSecond) + 1);
        var intoSecond = (nowTicks - DateTime.UnixEpoch.Ticks) % TimeSpan.TicksPerSecond;
        var ms = (seconds * 1000) - (intoSecond / (double)TimeSpan.TicksPerMillisecond);
        retryAfterMs = (int)Math.Clamp(Math.Ceiling(ms), 1, int.MaxValue);
        if (_retryAfter is not null)
            retryAfterMs = _retryAfter.NextMs(retryAfterMs);
        return false;
    }

    /// <summary>Takes the charge of an admitted operation.</summary>
    public void Charge(RequestUnits charge, bool isLow = false, bool mayBurst = true)
    {
        using var shared = EnterIfShared();
        if (!isLow)
            _high = _high with { Spent = _high.Spent + charge.Parts };
        _balance -= charge.Parts;
        _spent += charge.Parts;
        if (_balance < 0 && _banked > 0 && mayBurst && CanBurst)
        {
            var drawn = Math.Min(_banked, -_balance);
            _banked -= drawn;
            _balance += drawn;
        }
    }

    /// <summary>Another budget for some of the operations: without burst, and with the same rules for <c>retry-after</c>.</summary>
    public RequestUnitBudget CreatePart(double unitsPerSecond, long nowTicks) => new(unitsPerSecond, burst: false, nowTicks, _retryAfter);

    /// <summary>A budget with half of the remaining units, for each part of a split partition. A shared budget stays shared.</summary>
    public RequestUnitBudget Halve() => _sharing is null ? new(this) : this;

    /// <summary>A budget with the remaining units of two budgets, for a merged partition. Neither may be shared.</summary>
    public RequestUnitBudget Join(RequestUnitBudget other, long nowTicks)
    {
        RollTo(AccountClock.UnixSecond(nowTicks));
        other.RollTo(_second);
        return new RequestUnitBudget(UnitsPerSecond + other.UnitsPerSecond, _burst, nowTicks, _retryAfter)
        {
            _balance = _balance + other._balance,
            _banked = _banked + other._banked,
            _spent = _spent + other._spent,
            _spentBefore = _spentBefore + other._spentBefore,
            _high = _high + other._high,
            _highBefore = _highBefore + other._highBefore,
            _second = _second,
        };
    }

    /// <summary>Changes the share at once: the running second gets the difference.</summary>
    public void Rescale(double unitsPerSecond)
    {
        using var shared = EnterIfShared();
        var perSecond = unitsPerSecond * PartsPerUnit;
        _balance += perSecond - _perSecond;
        _perSecond = perSecond;
        _banked = Math.Min(_banked, BurstBankSeconds * perSecond);
    }

    private Lock.Scope EnterIfShared() => _sharing is null ? default : _sharing.EnterScope();

    private double ReservedForHighPriority() => _high.WasThrottled || _highBefore.WasThrottled
        ? double.PositiveInfinity
        : Math.Max(0, _highBefore.Spent - _high.Spent);

    private void RollTo(long second)
    {
        var elapsed = second - _second;
        if (elapsed <= 0)
            return;
        _second = second;
        _spentBefore = elapsed == 1 ? _spent : 0;
        _spent = 0;
        _highBefore = elapsed == 1 ? _high : default;
        _high = default;
        // Unused units do not carry over; debt does.
        var unused = Math.Max(0, _balance);
        var granted = Math.Min(0, _balance) + (_perSecond * elapsed);
        _balance = Math.Min(granted, _perSecond);
        if (CanBurst)
            _banked = Math.Min(BurstBankSeconds * _perSecond, _banked + unused + (granted - _balance));
    }

    /// <summary>High-priority requests of one second: the charge in parts of an RU, and whether any was throttled.</summary>
    private readonly record struct HighPriority(double Spent, bool WasThrottled)
    {
        public static HighPriority operator +(HighPriority one, HighPriority other) =>
            new(one.Spent + other.Spent, one.WasThrottled || other.WasThrottled);
    }
}

/// <summary>The <c>retry-after</c> of a 429.</summary>
internal sealed class RetryAfter(ThrottlingSpec throttling, SeededNoise noise)
{
    public bool IsOff => throttling.IsOff;

    /// <param name="untilPositiveMs">Time until the balance is positive again.</param>
    public int NextMs(int untilPositiveMs)
    {
        var factor = 1 + (throttling.RetryAfterSpread * ((2 * noise.NextUniform()) - 1));
        return (int)Math.Clamp(Math.Ceiling(untilPositiveMs * factor), throttling.RetryAfterMinMs, throttling.RetryAfterMaxMs);
    }
}

/// <summary>A request's priority and throughput bucket, 1 to 5; 0 for none.</summary>
internal readonly record struct BudgetClaim(bool IsLowPriority, int Bucket);
