using System.Threading.Tasks.Sources;

namespace ScaleOut.Timing;

/// <summary>
/// Waits of a few milliseconds for thousands of operations at once. While there are waits, one thread checks them every millisecond. On
/// average, a wait is as long as asked. <c>Task.Delay</c> would need a timer for each wait, and would be up to 4 ms late on
/// Linux, where the runtime's timers read a clock that changes with the kernel's tick.
/// </summary>
public sealed partial class DelayTimer : IDisposable
{
    private const uint TickMs = 1;

    /// <summary>Half a tick of this timer. Shorter waits complete at once.</summary>
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
        _thread = new Thread(Run) { IsBackground = true, Name = "Delays", Priority = ThreadPriority.AboveNormal };
        _thread.Start();
    }

    public long Timestamp => _time.GetTimestamp();

    public TimeSpan ElapsedSince(long timestamp) => _time.GetElapsedTime(timestamp);

    /// <summary>Completes after <paramref name="ms"/> on a pool thread, or at once for less than half a tick.</summary>
    public ValueTask DelayAsync(double ms) => ms < ToleranceMs ? ValueTask.CompletedTask : DelayUntilAsync(Timestamp, ms);

    /// <summary>
    /// Completes <paramref name="ms"/> after <paramref name="start"/> on a pool thread, or at once if less than half a tick is left.
    /// </summary>
    public ValueTask DelayUntilAsync(long start, double ms)
    {
        var due = start + (long)(ms * _time.TimestampFrequency / 1000);
        if (due - Timestamp < (long)(ToleranceMs * _time.TimestampFrequency / 1000))
            return ValueTask.CompletedTask;
        lock (_gate)
        {
            if (_stopped)
                return ValueTask.CompletedTask;
            var wait = _spare.TryPop(out var spare) ? spare : new Wait(this);
            _waits.Enqueue(wait, due);
            if (_asleep)
            {
                _asleep = false;
                _wake.Set();
            }

            return wait.Task;
        }
    }

    /// <summary>Completes all waits at once.</summary>
    public void Dispose()
    {
        lock (_gate)
            _stopped = true;
        _wake.Set();
        _thread.Join();
        _wake.Dispose();
    }

    /// <summary>
    /// Lets a sleep of a millisecond take about that long. On Windows it would otherwise last up to 15.6 ms; elsewhere nothing is needed.
    /// </summary>
    [LibraryImport("winmm.dll", EntryPoint = "timeBeginPeriod")]
    private static partial uint BeginPeriod(uint milliseconds);

    [LibraryImport("winmm.dll", EntryPoint = "timeEndPeriod")]
    private static partial uint EndPeriod(uint milliseconds);

    private void Run()
    {
        if (OperatingSystem.IsWindows())
            _ = BeginPeriod(TickMs);
        try
        {
            Tick();
        }
        finally
        {
            if (OperatingSystem.IsWindows())
                _ = EndPeriod(TickMs);
        }
    }

    private void Tick()
    {
        var due = new List<Wait>();
        var tolerance = (long)(ToleranceMs * _time.TimestampFrequency / 1000);
        while (true)
        {
            bool idle;
            bool stopped;
            lock (_gate)
            {
                var now = _time.GetTimestamp() + tolerance;
                while (_waits.TryPeek(out var wait, out var at) && (at <= now || _stopped))
                {
                    _waits.Dequeue();
                    due.Add(wait);
                }

                stopped = _stopped;
                idle = _asleep = _waits.Count == 0 && !stopped;
            }

            foreach (var wait in due)
                ThreadPool.UnsafeQueueUserWorkItem(wait, preferLocal: false);
            due.Clear();
            if (stopped)
                return;
            if (idle)
                _wake.WaitOne();
            else
#pragma warning disable RS0030 // The thread is this timer's own, and runtime timers are late (see above).
                Thread.Sleep((int)TickMs);
#pragma warning restore RS0030
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
