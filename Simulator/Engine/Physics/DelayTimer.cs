using System.Threading.Tasks.Sources;

namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// Waits of a few milliseconds for thousands of operations at once. One thread looks every millisecond, and not at all while nobody waits;
/// a wait is on average neither longer nor shorter than asked, where <see cref="Task.Delay(int)"/> rounds up and costs a timer each.
/// </summary>
internal sealed class DelayTimer : IDisposable
{
    /// <summary>Half a tick: less is not waited for.</summary>
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

    /// <summary>Now, as a start for <see cref="DelayUntilAsync"/>.</summary>
    public long Timestamp => _time.GetTimestamp();

    /// <summary>Time since a <see cref="Timestamp"/>.</summary>
    public TimeSpan ElapsedSince(long timestamp) => _time.GetElapsedTime(timestamp);

    /// <summary>Completes after <paramref name="ms"/> on a thread of the pool; at once for less than half a tick.</summary>
    public ValueTask DelayAsync(double ms) => ms < ToleranceMs ? ValueTask.CompletedTask : DelayUntilAsync(Timestamp, ms);

    /// <summary>
    /// Completes when <paramref name="ms"/> are over since <paramref name="start"/>, on a thread of the pool; at once when less than half a
    /// tick is left.
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
