namespace ScaleOut.DevBox.Engine;

/// <summary>Stops an experiment: its current run, and those that would follow.</summary>
internal sealed class ExperimentStop : IDisposable
{
    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _giveUp = new();
    private RunSession? _session;

    public bool IsRequested { get; private set; }

    /// <summary>Cancelled when the program is to end at once.</summary>
    public CancellationToken GiveUp => _giveUp.Token;

    /// <summary>Asks the run that is on to stop; its report follows within five seconds, then the experiment's.</summary>
    public void Request()
    {
        lock (_lock)
        {
            IsRequested = true;
            _session?.Stop();
        }
    }

    /// <summary>Ends all processes of the run that is on.</summary>
    public void Kill()
    {
        // An account that is just being started is not the session's yet.
        _giveUp.Cancel();
        _session?.Kill();
    }

    /// <summary>Says which run is on; null between runs.</summary>
    public void Watch(RunSession? session)
    {
        lock (_lock)
        {
            _session = session;
            if (IsRequested)
                session?.Stop();
        }
    }

    public void Dispose() => _giveUp.Dispose();
}
