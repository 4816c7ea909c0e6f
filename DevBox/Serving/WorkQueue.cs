namespace ScaleOut.DevBox.Serving;

/// <summary>
/// Executes runs and experiments one after the other, because they share the machine's cores.
/// </summary>
internal sealed class WorkQueue : IDisposable
{
    /// <summary>Ended jobs whose last status is kept in memory. The status of older jobs comes from the run store.</summary>
    private const int KeptEnded = 20;

    /// <summary>Most jobs that may wait: about a day if each takes a quarter of an hour.</summary>
    private const int MaxWaiting = 100;

    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _starts = new(1, 1);
    private readonly List<IHostedWork> _waiting = [];
    private readonly List<IHostedWork> _ended = [];
    private IHostedWork? _running;
    private Task _work = Task.CompletedTask;
    private bool _closed;

    /// <summary>Whether a job was under way or waiting when the queue was closed.</summary>
    public bool WasInterrupted { get; private set; }

    /// <summary>The current job, or null.</summary>
    public IHostedWork? Running
    {
        get
        {
            lock (_gate)
                return _running;
        }
    }

    /// <summary>Why no more jobs may wait, in a sentence; null if there is room.</summary>
    public string? WhyFull
    {
        get
        {
            lock (_gate)
            {
                return _waiting.Count < MaxWaiting
                    ? null
                    : $"{MaxWaiting} runs and experiments wait already; try again when one has ended.";
            }
        }
    }

    /// <summary>
    /// Serializes requests that check for room in the queue and add a job. Dispose the result to let the next request continue.
    /// </summary>
    public async Task<IDisposable> EnterStartAsync(CancellationToken cancellationToken)
    {
        await _starts.WaitAsync(cancellationToken);
        return new StartTurn(_starts);
    }

    /// <summary>Starts a job, or lets it wait for its turn.</summary>
    /// <exception cref="InvalidOperationException">The queue is closed.</exception>
    public void Add(IHostedWork work)
    {
        if (!TryAdd(work))
            throw new InvalidOperationException($"'{work.Id}' is under way or waits already.");
    }

    /// <summary>Starts a job, or lets it wait for its turn. False if a job of its id is under way or waits.</summary>
    /// <exception cref="InvalidOperationException">The queue is closed.</exception>
    public bool TryAdd(IHostedWork work)
    {
        lock (_gate)
        {
            if (_closed)
                throw new InvalidOperationException("The server is ending.");
            if (_running?.Id == work.Id || _waiting.Exists(other => other.Id == work.Id))
                return false;
            // The earlier end of the job is no longer shown.
            if (_ended.FindIndex(other => other.Id == work.Id) is >= 0 and var place)
            {
                _ended[place].Dispose();
                _ended.RemoveAt(place);
            }

            _waiting.Add(work);
            if (_work.IsCompleted)
                _work = WorkAsync();
            return true;
        }
    }

    /// <summary>Whether a job of some kind is under way or waits.</summary>
    public bool Has(Func<IHostedWork, bool> isWanted)
    {
        lock (_gate)
            return (_running is { } running && isWanted(running)) || _waiting.Exists(work => isWanted(work));
    }

    /// <summary>The job of an id. If it waits, also how many jobs must end before it begins; otherwise null.</summary>
    public (IHostedWork Work, int? Ahead)? Find(string id)
    {
        lock (_gate)
        {
            if (_running?.Id == id)
                return (_running, null);
            if (_waiting.FindIndex(work => work.Id == id) is >= 0 and var place)
                return (_waiting[place], place + (_running is null ? 0 : 1));
            return _ended.Find(work => work.Id == id) is { } ended ? (ended, null) : null;
        }
    }

    /// <summary>Stops a current job, or gives up a waiting one.</summary>
    public async Task<StopResult> StopAsync(string id)
    {
        IHostedWork? waiting;
        lock (_gate)
        {
            if (_running?.Id == id)
            {
                _running.Stop();
                return StopResult.Stopping;
            }

            waiting = _waiting.Find(work => work.Id == id);
            if (waiting is null)
                return _ended.Exists(work => work.Id == id) ? StopResult.Ended : StopResult.Unknown;
            _waiting.Remove(waiting);
            Keep(waiting);
        }

        await GiveUpAsync(waiting);
        return StopResult.Stopping;
    }

    /// <summary>Accepts no more jobs, gives up those that wait, and stops the current one. Completes when its report is written.</summary>
    public async Task CloseAsync()
    {
        List<IHostedWork> waiting;
        Task work;
        lock (_gate)
        {
            _closed = true;
            waiting = [.. _waiting];
            _waiting.Clear();
            waiting.ForEach(Keep);
            WasInterrupted |= waiting.Count > 0 || _running is not null;
            _running?.Stop();
            work = _work;
        }

        foreach (var session in waiting)
            await GiveUpAsync(session);
        await work;
    }

    /// <summary>Ends the processes of the current job at once.</summary>
    public void Kill() => Running?.Kill();

    public void Dispose()
    {
        lock (_gate)
            _ended.ForEach(work => work.Dispose());
        _starts.Dispose();
    }

    private sealed class StartTurn(SemaphoreSlim starts) : IDisposable
    {
        public void Dispose() => starts.Release();
    }

    private async Task WorkAsync()
    {
        await Task.Yield();
        while (true)
        {
            IHostedWork next;
            lock (_gate)
            {
                if (_waiting.Count == 0)
                {
                    // The next start begins a new loop, so it must not find this one still at work.
                    _work = Task.CompletedTask;
                    return;
                }

                _running = next = _waiting[0];
                _waiting.RemoveAt(0);
            }

            try
            {
                await next.RunAsync();
            }
            catch (Exception e)
            {
                // An exception of a job must not block the jobs behind it.
                ErrorLines.WriteUnexpected(e, logFile: null);
            }
            finally
            {
                Keep(next);
            }
        }
    }

    private static async Task GiveUpAsync(IHostedWork work)
    {
        try
        {
            await work.GiveUpAsync();
        }
        catch (Exception e)
        {
            // An error must not prevent the others from being given up.
            ErrorLines.WriteUnexpected(e, logFile: null);
        }
    }

    private void Keep(IHostedWork work)
    {
        lock (_gate)
        {
            if (_running == work)
                _running = null;
            _ended.Add(work);
            work.ShowEnd();
            if (_ended.Count <= KeptEnded)
                return;
            _ended[0].Dispose();
            _ended.RemoveAt(0);
        }
    }
}

/// <summary>A job in the server, from its place in the queue to its end.</summary>
internal interface IHostedWork : IDisposable
{
    string Id { get; }

    /// <summary>Runs the job to its end, even to a failure. Never throws.</summary>
    Task RunAsync();

    /// <summary>Ends the job before it has begun.</summary>
    Task GiveUpAsync();

    /// <summary>
    /// Makes the status show the end. The queue has already removed the job, so a client that sees the end can resume the job at once.
    /// </summary>
    void ShowEnd()
    {
    }

    /// <summary>Asks the job to stop; its report follows within seconds.</summary>
    void Stop();

    /// <summary>Ends the job's processes at once.</summary>
    void Kill();
}
