using System.Threading.Tasks.Sources;

namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// Waits of a few milliseconds for thousands of operations. One thread looks every millisecond while anyone waits. On average a wait is as
/// long as asked, whereas <see cref="Task.Delay(int)"/> rounds up and costs a timer each.
/// </summary>
internal sealed class DelayTimer : IDisposable
{
    /// <summary>Half a tick. It does not wait for less.</summary>
    public const double ToleranceMs = 0.5;

    private readonly PriorityQueue<Wait, long> _waits = new();
    private readonly Stack<Wait> _spare = new();
    private readonly TimeProvider _time;
    private readonly Thread _thread;
    private readonly Lock _gate = new();
    private readonly AutoResetEvent _wake = new(false);
    private bool _asleep;
    private bool _stopped;

    public DelayTimer(TimeProvider time)
    {
        _time = time;
        _thread = new Thread(Run) { IsBackground = true, Name = "Simulated latency", Priority = ThreadPriority.AboveNormal };
        _thread.Start();
    }

    public long Timestamp => _time.GetTimestamp();

    public TimeSpan ElapsedSince(long timestamp) => _time.GetElapsedTime(timestamp);

    /// <summary>Completes after <paramref name="ms"/> on a pool thread; at once for less than half a tick.</summary>
    public ValueTask DelayAsync(double ms) => ms < ToleranceMs ? ValueTask.CompletedTask : DelayUntilAsync(Timestamp, ms);

    /// <summary>
    /// Completes <paramref name="ms"/> after <paramref name="start"/> on a pool thread; at once if less than half a tick is left.
    /// </summary>
    public ValueTask DelayUntilAsync(long start, double ms)
    {
        long due = start + (long)(ms * _time.TimestampFrequency / 1000);
        if (due - Timestamp < (long)(ToleranceMs * _time.TimestampFrequency / 1000))
            return ValueTask.CompletedTask;
        lock (_gate)
        {
            if (_stopped)
                return ValueTask.CompletedTask;
            Wait wait = _spare.TryPop(out Wait? spare) ? spare : new Wait(this);
            _waits.Enqueue(wait, due);
            if (_asleep)
            {
                _asleep = false;
                _wake.Set();
            }

            return wait.Task;
        }
    }

    /// <summary>Ends all waits at once.</summary>
    public void Dispose()
    {
        lock (_gate)
            _stopped = true;
        _wake.Set();
        _thread.Join();
        _wake.Dispose();
    }

    private void Run()
    {
        var due = new List<Wait>();
        long tolerance = (long)(ToleranceMs * _time.TimestampFrequency / 1000);
        while (true)
        {
            bool idle;
            bool stopped;
            lock (_gate)
            {
                long now = _time.GetTimestamp() + tolerance;
                while (_waits.TryPeek(out Wait? wait, out long at) && (at <= now || _stopped))
                {
                    _waits.Dequeue();
                    due.Add(wait);
                }

                stopped = _stopped;
                idle = _asleep = _waits.Count == 0 && !stopped;
            }

            foreach (Wait wait in due)
                ThreadPool.UnsafeQueueUserWorkItem(wait, preferLocal: false);
            due.Clear();
            if (stopped)
                return;
            if (idle)
                _wake.WaitOne();
            else
                Thread.Sleep(1);
        }
    }

    private void Recycle(Wait wait)
    {
        lock (_gate)
            _spare.Push(wait);
    }

    private sealed class Wait(DelayTimer owner) : IValueTaskSource, IThreadPoolWorkItem
    {
        private ManualResetValueTaskSourceCore<bool> _source;

        public ValueTask Task => new(this, _source.Version);

        public void Execute() => _source.SetResult(true);

        public void GetResult(short token)
        {
            _source.GetResult(token);
            _source.Reset();
            owner.Recycle(this);
        }

        public ValueTaskSourceStatus GetStatus(short token) => _source.GetStatus(token);

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            _source.OnCompleted(continuation, state, token, flags);
    }
}

/// <summary>UTC that never steps back. Budgets and the ledger are cut at its whole seconds.</summary>
internal sealed class AccountClock
{
    private readonly TimeProvider _time;
    private readonly long _startTimestamp;
    private readonly long _startUtcTicks;
    private long _firstOperationTicks;

    /// <summary>How far the machine's clock was ahead of this one, since it was last set and before.</summary>
    private long _aheadTicks;
    private long _aheadBeforeTicks;

    public AccountClock(TimeProvider time)
    {
        _time = time;
        _startTimestamp = time.GetTimestamp();
        _startUtcTicks = time.GetUtcNow().UtcTicks;
    }

    /// <summary>Ticks of 100 ns, as <see cref="DateTimeOffset.UtcTicks"/>.</summary>
    public long NowTicks => _startUtcTicks + _time.GetElapsedTime(_startTimestamp).Ticks;

    /// <summary>
    /// Whether a client that signs by the machine's clock can have signed at this time. If that clock was just set, or the machine
    /// suspended, the time before the change counts too.
    /// </summary>
    public bool MayHaveSignedAt(DateTime utc, TimeSpan tolerance)
    {
        long now = NowTicks;
        long ahead = _time.GetUtcNow().UtcTicks - now;
        long last = Volatile.Read(ref _aheadTicks);
        if (Math.Abs(ahead - last) > TimeSpan.TicksPerSecond && Interlocked.CompareExchange(ref _aheadTicks, ahead, last) == last)
            Volatile.Write(ref _aheadBeforeTicks, last);
        return IsNear(ahead) || IsNear(Volatile.Read(ref _aheadBeforeTicks));

        bool IsNear(long aheadTicks) => Math.Abs(now + aheadTicks - utc.Ticks) <= tolerance.Ticks;
    }

    /// <summary>Whole seconds since 1970.</summary>
    public static long UnixSecond(long ticks) => (ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond;

    /// <summary>Seconds since the first call, which is the first document operation's. Faults and splits count from it.</summary>
    public double SecondsSinceFirstOperation()
    {
        long now = NowTicks;
        if (Volatile.Read(ref _firstOperationTicks) == 0)
            Interlocked.CompareExchange(ref _firstOperationTicks, now, 0);
        return (now - Volatile.Read(ref _firstOperationTicks)) / (double)TimeSpan.TicksPerSecond;
    }
}
