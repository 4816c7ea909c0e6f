namespace ScaleOut.DevBox.Accounts;

/// <summary>
/// The simulated account's process as a run sees it. It outlives the run's own process, so that the run can be resumed. This process or an
/// earlier one has started it.
/// </summary>
internal sealed class SimulatedAccountProcess : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(3);

    private readonly Process _process;
    private readonly TaskCompletionSource<string> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _ending;
    private volatile string? _whyKilled;

    private SimulatedAccountProcess(Process process, AccountControl control, bool child)
    {
        _process = process;
        Control = control;
        _ = WatchAsync(child);
    }

    public int Id => _process.Id;

    public AccountControl Control { get; }

    /// <summary>Completes with the reason if the process ends before it was asked to.</summary>
    public Task<string> Ended => _ended.Task;

    /// <param name="operations">Most operations that the account will respond to; null if that is not known.</param>
    /// <param name="cancellationToken">Ends the process while it is being started.</param>
    /// <exception cref="InvalidOperationException">The account did not start; the message says why.</exception>
    /// <exception cref="OperationCanceledException">The start was cancelled.</exception>
    public static async Task<(SimulatedAccountProcess Process, AccountHandshakeResponse Ready)> StartAsync(
        AccountHandshakeRequest handshakeRequest, string runId, string logFile, long? operations, CancellationToken cancellationToken)
    {
        var process = Process.Start(SelfProcess.ForLoad(operations, "account", "--run", runId))
            ?? throw new InvalidOperationException("The simulated account's process did not start.");
        var logging = ProcessLog.CopyAsync(process.StandardError, logFile);
        using var givenUp = cancellationToken.Register(() => ProcessEnd.Kill(process));
        try
        {
            await process.StandardInput.WriteAsync(ProcessLines.Write(handshakeRequest) + '\n');
            await process.StandardInput.FlushAsync(cancellationToken);
        }
        catch (IOException)
        {
            // The process has ended already. Reading its handshake reports that.
        }

        var handshakeResponse = await ReadHandshakeAsync(process, logging, logFile, cancellationToken);
        return (
            new SimulatedAccountProcess(process, new AccountControl(handshakeResponse.ControlEndpoint!), child: true),
            handshakeResponse);
    }

    /// <summary>Finds the account that an earlier process of the run started; null when it is gone.</summary>
    public static async Task<SimulatedAccountProcess?> FindAsync(int processId, Uri controlEndpoint, CancellationToken cancellationToken)
    {
        Process process;
        try
        {
            process = Process.GetProcessById(processId);
        }
        catch (ArgumentException)
        {
            // There is no such process.
            return null;
        }

        var control = new AccountControl(controlEndpoint);
        if (await control.RespondsAsync(cancellationToken))
            return new SimulatedAccountProcess(process, control, child: false);
        control.Dispose();
        process.Dispose();
        return null;
    }

    /// <summary>
    /// Ends the process if it is stopped by a signal for too long, because its clients would try for half an hour. It asks the system, and
    /// not the account's port, which does not respond while the machine is busy either. Time in which this program itself was stopped, or
    /// the machine was suspended, counts as one second.
    /// </summary>
    /// <param name="warn">Receives a sentence when the process has been stopped for some time.</param>
    /// <param name="warnAfter">Seconds until the warning.</param>
    /// <param name="endAfter">Seconds until the end.</param>
    public async Task EndIfFrozenAsync(Action<string> warn, int warnAfter = 10, int endAfter = 60)
    {
        for (var seconds = 0; seconds < endAfter && !_ending && !_ended.Task.IsCompleted;)
        {
            await Task.WhenAny(_ended.Task, Task.Delay(TimeSpan.FromSeconds(1)));
            seconds = ProcessEnd.IsFrozen(Id) ? seconds + 1 : 0;
            if (seconds == warnAfter)
                warn($"the simulated account (process {Id}) was stopped by a signal {warnAfter} s ago; it is ended after {endAfter} s");
            if (seconds < endAfter)
                continue;
            _whyKilled = $"it was stopped by a signal for {endAfter} s";
            ProcessEnd.Kill(_process);
        }
    }

    /// <summary>Ends the process at once.</summary>
    public void Kill()
    {
        _ending = true;
        ProcessEnd.Kill(_process);
    }

    /// <summary>Asks the process to end, and kills it if it does not.</summary>
    public async Task EndAsync()
    {
        _ending = true;
        if (!_ended.Task.IsCompleted && await Control.TryShutDownAsync(CancellationToken.None))
            await ProcessEnd.WaitOrKillAsync(_process, EndTimeout);
        else
            ProcessEnd.Kill(_process);
    }

    public ValueTask DisposeAsync()
    {
        _ending = true;
        Control.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task WatchAsync(bool child)
    {
        await _process.WaitForExitAsync();
        if (!_ending)
        {
            var reason = _whyKilled ?? (child ? ProcessEnd.Describe(_process) : "its process is gone");
            _ended.SetResult($"the simulated account ended unexpectedly ({reason})");
        }
    }

    private static async Task<AccountHandshakeResponse> ReadHandshakeAsync(
        Process process, Task<string?> logging, string logFile, CancellationToken cancellationToken)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(StartTimeout);
        string error;
        try
        {
            var line = await process.StandardOutput.ReadLineAsync(timeout.Token);
            if (line is not null && ProcessLines.Read<AccountHandshakeResponse>(line) is { } handshakeResponse)
            {
                if (handshakeResponse.Error is null)
                    return handshakeResponse;
                error = handshakeResponse.Error;
            }
            else
            {
                await ProcessEnd.WaitOrKillAsync(process, EndTimeout);
                // If the start was cancelled, this program itself has ended the process.
                cancellationToken.ThrowIfCancellationRequested();
                await Task.WhenAny(logging, Task.Delay(EndTimeout, CancellationToken.None));
                var last = logging.IsCompletedSuccessfully ? await logging : null;
                error = $"its process ended ({ProcessEnd.Describe(process, last)}); see {logFile}";
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The process is killed and the error is thrown below.
            error = $"it did not respond within {StartTimeout.TotalSeconds:0} s; see {logFile}";
        }

        ProcessEnd.Kill(process);
        throw new InvalidOperationException($"The simulated account could not be started: {error}");
    }
}
