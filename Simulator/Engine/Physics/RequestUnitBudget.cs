namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// The request units of one physical partition. Every UTC second brings the partition's share. An operation is admitted while the second's
/// balance is positive and may take it below zero; the debt is carried on. What a second leaves over is lost, or banked with burst. Not
/// safe for threads, unless it is shared.
/// </summary>
/// <remarks>
/// The service throttles low priority first, without keeping anything for high priority. Here low priority gets what high priority is not
/// expected to use of the second, which is what that used in the last one; nothing in the seconds in which high priority was throttled, and
/// in the next ones.
/// </remarks>
internal sealed class RequestUnitBudget
{
    private const double HundredthsPerUnit = 100;
    private const double BurstUnitsPerSecond = SimulationSpec.BurstRequestUnitsPerSecond;
    private const double BurstBankSeconds = SimulationSpec.BurstBankSeconds;

    private readonly bool _burst;
    private readonly RetryAfter? _retryAfter;

    /// <summary>Guards a budget that several partitions draw on; null for a partition's own.</summary>
    private readonly Lock? _sharing;
    private double _perSecond;
    private double _balance;
    private double _banked;
    private double _spent;
    private double _spentBefore;
    private HighPriority _high;
    private HighPriority _highBefore;
    private long _second;

    /// <param name="unitsPerSecond">The partition's share of the throughput, above 0.</param>
    /// <param name="burst">As <see cref="SimulationSpec.Burst"/>.</param>
    /// <param name="nowTicks">Time of the <see cref="AccountClock"/>; the first second is granted whole.</param>
    /// <param name="retryAfter">What a 429 says; null for the true time.</param>
    public RequestUnitBudget(double unitsPerSecond, bool burst, long nowTicks, RetryAfter? retryAfter = null)
    {
        _burst = burst;
        _retryAfter = retryAfter;
        _perSecond = unitsPerSecond * HundredthsPerUnit;
        _balance = _perSecond;
        _second = AccountClock.UnixSecond(nowTicks);
    }

    private RequestUnitBudget(double unitsPerSecond, bool burst, long nowTicks, RetryAfter? retryAfter, Lock sharing)
        : this(unitsPerSecond, burst, nowTicks, retryAfter) => _sharing = sharing;

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

    public double UnitsPerSecond => _perSecond / HundredthsPerUnit;

    /// <summary>
    /// Share of the budget that is used, 0 to 1: the larger of this second's so far and the last second's. Read without a lock, so it may
    /// be an operation old.
    /// </summary>
    public double Utilization => Math.Clamp(Math.Max(_spent, _spentBefore) / _perSecond, 0, 1);

    private bool CanBurst => _burst && UnitsPerSecond < BurstUnitsPerSecond;

    /// <summary>A budget that several partitions draw on, each from threads of its own.</summary>
    public static RequestUnitBudget CreateShared(double unitsPerSecond, bool burst, long nowTicks, RetryAfter? retryAfter = null) =>
        new(unitsPerSecond, burst, nowTicks, retryAfter, new Lock());

    /// <summary>
    /// Whether an operation may start now; if not, after how many milliseconds (1 and more) the client is to try again: those until the
    /// balance is positive, or what <see cref="RetryAfter"/> makes of them.
    /// </summary>
    public bool TryAdmit(long nowTicks, out int retryAfterMs, bool isLow = false, bool mayBurst = true)
    {
        if (_sharing is null)
            return TryAdmitOne(nowTicks, isLow, mayBurst, out retryAfterMs);
        lock (_sharing)
            return TryAdmitOne(nowTicks, isLow, mayBurst, out retryAfterMs);
    }

    /// <summary>Takes an admitted operation's charge.</summary>
    public void Charge(RequestUnits charge, bool isLow = false, bool mayBurst = true)
    {
        if (_sharing is null)
        {
            Take(charge, isLow, mayBurst);
            return;
        }

        lock (_sharing)
            Take(charge, isLow, mayBurst);
    }

    /// <summary>A budget beside this one, for some of its operations: without burst, and with the same 429s.</summary>
    public RequestUnitBudget CreatePart(double unitsPerSecond, long nowTicks) => new(unitsPerSecond, burst: false, nowTicks, _retryAfter);

    /// <summary>
    /// Half of what is left, for each of the two partitions that this one is split into; a shared budget goes on being shared.
    /// </summary>
    public RequestUnitBudget Halve() => _sharing is null ? new(this) : this;

    /// <summary>
    /// What is left of this budget and another one together, for the partition that two are merged to; neither may be shared.
    /// </summary>
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
        if (_sharing is null)
        {
            ChangeShare(unitsPerSecond);
            return;
        }

        lock (_sharing)
            ChangeShare(unitsPerSecond);
    }

    private bool TryAdmitOne(long nowTicks, bool isLow, bool mayBurst, out int retryAfterMs)
    {
        RollTo(AccountClock.UnixSecond(nowTicks));
        retryAfterMs = 0;
        double kept = isLow ? KeptForHighPriority() : 0;
        if (_balance > kept || _retryAfter is { IsOff: true }
            || (kept == 0 && mayBurst && CanBurst && _banked > 0 && _spent < BurstUnitsPerSecond * HundredthsPerUnit))
            return true;

        _high = _high with { WasThrottled = _high.WasThrottled || !isLow };
        double seconds = Math.Max(1, Math.Floor(-_balance / _perSecond) + 1);
        long intoSecond = (nowTicks - DateTime.UnixEpoch.Ticks) % TimeSpan.TicksPerSecond;
        double ms = (seconds * 1000) - (intoSecond / (double)TimeSpan.TicksPerMillisecond);
        retryAfterMs = (int)Math.Clamp(Math.Ceiling(ms), 1, int.MaxValue);
        if (_retryAfter is not null)
            retryAfterMs = _retryAfter.NextMs(retryAfterMs);
        return false;
    }

    private double KeptForHighPriority() => _high.WasThrottled || _highBefore.WasThrottled
        ? double.PositiveInfinity
        : Math.Max(0, _highBefore.Spent - _high.Spent);

    private void Take(RequestUnits charge, bool isLow, bool mayBurst)
    {
        if (!isLow)
            _high = _high with { Spent = _high.Spent + charge.Hundredths };
        _balance -= charge.Hundredths;
        _spent += charge.Hundredths;
        if (_balance < 0 && _banked > 0 && mayBurst && CanBurst)
        {
            double drawn = Math.Min(_banked, -_balance);
            _banked -= drawn;
            _balance += drawn;
        }
    }

    private void ChangeShare(double unitsPerSecond)
    {
        double perSecond = unitsPerSecond * HundredthsPerUnit;
        _balance += perSecond - _perSecond;
        _perSecond = perSecond;
        _banked = Math.Min(_banked, BurstBankSeconds * perSecond);
    }

    private void RollTo(long second)
    {
        long elapsed = second - _second;
        if (elapsed <= 0)
            return;
        _second = second;
        _spentBefore = elapsed == 1 ? _spent : 0;
        _spent = 0;
        _highBefore = elapsed == 1 ? _high : default;
        _high = default;
        // The last second's remainder does not carry over, only its debt does.
        double unused = Math.Max(0, _balance);
        double granted = Math.Min(0, _balance) + (_perSecond * elapsed);
        _balance = Math.Min(granted, _perSecond);
        if (CanBurst)
            _banked = Math.Min(BurstBankSeconds * _perSecond, _banked + unused + (granted - _balance));
    }

    /// <summary>What operations of high priority did in a second.</summary>
    /// <param name="Spent">Hundredths of an RU.</param>
    /// <param name="WasThrottled">Whether one of them got a 429.</param>
    private readonly record struct HighPriority(double Spent, bool WasThrottled)
    {
        public static HighPriority operator +(HighPriority one, HighPriority other) =>
            new(one.Spent + other.Spent, one.WasThrottled || other.WasThrottled);
    }
}

/// <summary>What a 429 has the client to wait, as <see cref="ThrottlingSpec"/> says.</summary>
internal sealed class RetryAfter(ThrottlingSpec throttling, SeededNoise noise)
{
    /// <summary>Whether there are no 429s.</summary>
    public bool IsOff => throttling.IsOff;

    /// <summary>The header's value.</summary>
    /// <param name="untilPositiveMs">Whole milliseconds until the balance is positive again.</param>
    public int NextMs(int untilPositiveMs)
    {
        double factor = 1 + (throttling.RetryAfterSpread * ((2 * noise.NextUniform()) - 1));
        return (int)Math.Clamp(Math.Ceiling(untilPositiveMs * factor), throttling.RetryAfterMinMs, throttling.RetryAfterMaxMs);
    }
}
