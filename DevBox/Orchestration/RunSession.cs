namespace ScaleOut.DevBox.Orchestration;

/// <summary>
/// Executes a claimed run to its end, with its processes, its stop and its report, and compares it with the simulated account's ledger.
/// </summary>
internal sealed class RunSession : IAsyncDisposable
{
    private static readonly TimeSpan AccountGoneTimeout = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan FolderPoll = TimeSpan.FromSeconds(1);

    private readonly RunSpec _spec;
    private readonly RunFolder _folder;
    private readonly RunAccount _account;
    private readonly KeptLedger _ledger;
    private readonly FolderRunStore _store;
    private readonly RunFiles _files;
    private readonly RunStop _stop;
    private readonly WorkerPool _pool;
    private readonly RunLog _log;
    private readonly PriceList? _prices;
    private readonly Uri? _otlp;

    /// <param name="spec">The run's complete spec.</param>
    /// <param name="prices">For the cost in the report of a run on a real account; null for none.</param>
    /// <param name="otlp">Collector that gets the metrics and spans; null for none.</param>
    public RunSession(RunSpec spec, RunFolder folder, RunAccount account, PriceList? prices = null, Uri? otlp = null)
    {
        (_prices, _otlp) = (prices, otlp);
        _spec = spec;
        _folder = folder;
        _account = account;
        _ledger = new KeptLedger(folder, account);
        _store = new FolderRunStore(folder.RunsFolder);
        _files = new RunFiles(_store, folder.RunId);
        _stop = new RunStop(_files);
        Tally = new RunTally(spec);
        _log = new RunLog(folder, message => Tally.Warn(message));
        var handshake = new WorkerHandshake { Account = account.Connection, RunsFolder = folder.RunsFolder, Otlp = otlp };
        _pool = new WorkerPool(handshake, folder.RunId, folder.LogFolder, Tally.Take)
        {
            CoresOf = [.. Enumerable.Range(0, spec.Workers).Select(worker => spec.SettingsOf(worker).Cores)],
            Operations = spec.MostOperations() / spec.Workers,
            OnSilence = (worker, warning) => Tally.Warn(warning, worker),
        };
    }

    public RunTally Tally { get; }

    /// <summary>Asks the run to stop; its report follows within five seconds.</summary>
    public void Stop()
    {
        Tally.SetStopping();
        _ = RequestStopAsync(_stop.RequestAsync);
    }

    /// <summary>Ends all processes of the run at once.</summary>
    public void Kill()
    {
        _pool.KillAll("the run is ended at once");
        _account.Kill();
    }

    /// <summary>Executes the remaining work of the run, and stops the simulated account.</summary>
    /// <exception cref="NothingChangedException">The run could not go on, and nothing of it was changed.</exception>
    /// <exception cref="RunFolderGoneException">The run's folder was deleted or moved meanwhile.</exception>
    public async Task<RunResult> RunAsync()
    {
        _ = WatchAccountAsync();
        _ = WatchStopAsync();
        Tally.RestoreLostLegs(await _files.CountLostLegsAsync(CancellationToken.None));

        using var containers = new ContainerControl(_account.Connection, _log);
        var places = new RunPlaces(_store, _files, _account, _ledger);
        var activities = new LocalRunActivities(places, containers, _pool, _stop, Tally) { Prices = _prices };
        var engine = activities.CreateEngine(new RunLog(_folder));
        var outcome = await WhileFolderIsThereAsync(
            engine.RunAsync<RunOutcome>(FunctionNames.RunOrchestrator, _spec, _folder.RunId));
        if (outcome.NothingChanged)
            throw new NothingChangedException(outcome);

        var report = activities.Report ?? throw new InvalidOperationException($"No report of run '{_folder.RunId}' was made.");
        var prepared = await _files.ReadPreparedAsync(CancellationToken.None);
        if (outcome.Totals is not null)
        {
            using var export = OtlpExport.To(_otlp, "run");
            new MetricsTelemetry().Ended(outcome, outcome.RunId);
        }

        return new RunResult
        {
            Outcome = outcome,
            Report = report,
            Rejected = prepared is null,
            StoppedByUser = _stop.IsRequested,
            AccountGone = _account.Gone.IsCompleted,
            Ended = await _files.FindEndedAsync(CancellationToken.None) is not null,
            Ledger = prepared is null || outcome.MissesLegs ? null : await _ledger.CompareAsync(report, prepared.Target),
        };
    }

    public async ValueTask DisposeAsync()
    {
        await _pool.DisposeAsync();
        await _account.DisposeAsync();
    }

    /// <summary>
    /// Waits for the run, and checks every second that its folder exists. Without the folder, workers would wait for items that cannot be
    /// found, and no result could be stored.
    /// </summary>
    private async Task<T> WhileFolderIsThereAsync<T>(Task<T> running)
    {
        using var over = new CancellationTokenSource();
        await Task.WhenAny(running, FolderGoneAsync(over.Token));
        await over.CancelAsync();
        if (File.Exists(_folder.SpecFile))
            return await running;
        Kill();
        _ = running.ContinueWith(task => _ = task.Exception, TaskScheduler.Default);
        throw new RunFolderGoneException(_folder, _account.Connection);
    }

    /// <summary>
    /// Completes when two consecutive checks do not find the folder's spec. One check is not enough, because a file system can fail
    /// transiently.
    /// </summary>
    private async Task FolderGoneAsync(CancellationToken cancellationToken)
    {
        for (var missed = 0; missed < 2 && !cancellationToken.IsCancellationRequested;)
        {
            await Task.Delay(FolderPoll, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            missed = File.Exists(_folder.SpecFile) ? 0 : missed + 1;
        }
    }

    /// <summary>
    /// Waits until the account is gone. The run cannot go on without it, so its legs are asked to end, and killed if they do not.
    /// </summary>
    private async Task WatchAccountAsync()
    {
        _ = _account.EndIfFrozenAsync(warning => Tally.Warn(warning));
        await _account.Gone;
        await RequestStopAsync(() => _files.RequestStopAsync(CancellationToken.None));
        await Task.Delay(AccountGoneTimeout);
        _pool.KillAll("its account is gone");
    }

    /// <summary>
    /// Requests the stop. If the flag cannot be written, it is only logged: workers that do not notice a stop are ended by force.
    /// </summary>
    private async Task RequestStopAsync(Func<Task> requestAsync)
    {
        try
        {
            await requestAsync();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _log.StopFlagNotWritten(OneLine.From(e.Message));
        }
    }

    private async Task WatchStopAsync()
    {
        await _stop.LegsOverdue;
        _pool.KillAll("the run was stopped, and it had not ended within seconds");
    }
}

/// <summary>A run could not go on, and nothing of it was changed.</summary>
internal sealed class NothingChangedException(RunOutcome outcome) : Exception(string.Join(" ", outcome.Reasons))
{
    public RunOutcome Outcome { get; } = outcome;
}

/// <summary>A run could not go on, because its folder was deleted or moved while it ran.</summary>
internal sealed class RunFolderGoneException(RunFolder folder, AccountConnection account) : Exception(
    $"run '{folder.RunId}' ends without a report: its folder {folder.FullPath} was deleted or moved while it ran. "
    + (account.Simulated
        ? "Its simulated account is ended. Start the run again."
        : $"A container that it made in {account} is left there: delete it, and start the run again under another id."));

/// <summary>Writes a run's log messages to the log file in its folder.</summary>
/// <param name="folder">The run's folder.</param>
/// <param name="onWarning">Receives warnings and errors too, for the displays; null if others show them.</param>
internal sealed class RunLog(RunFolder folder, Action<string>? onWarning = null) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
            return;
        var text = formatter(state, exception);
        ProcessLog.Append(folder.OwnLog, $"{logLevel}: {text}{(exception is null ? "" : $" {exception}")}");
        if (logLevel >= LogLevel.Warning)
            onWarning?.Invoke(text);
    }
}
