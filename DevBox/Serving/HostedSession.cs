namespace ScaleOut.DevBox.Serving;

/// <summary>A claimed run in the server, from its place in the queue to its end.</summary>
/// <param name="spec">The run's, complete.</param>
/// <param name="account">Where its documents go; null for a simulated account of its own.</param>
/// <param name="log">Receives the lines about the run.</param>
/// <param name="openAccount">Opens the account of a run that is resumed; null for a new run.</param>
internal sealed class HostedSession(
    RunSpec spec,
    RunFolder folder,
    AccountConnection? account,
    TextWriter log,
    Func<CancellationToken, Task<RunAccount>>? openAccount = null) : IHostedWork
{
    /// <summary>The reason in the report of a run that was stopped while it waited.</summary>
    public const string StoppedBeforeItBegan = "It was stopped before it began.";

    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _giveUp = new();
    private RunSession? _session;
    private DateTimeOffset? _startedAt;
    private RunOutcome? _outcome;
    private HostedRun? _last;
    private bool _stopping;

    public string Id => spec.Id!;

    /// <inheritdoc/>
    public async Task RunAsync()
    {
        await log.WriteLineAsync(RunHeading.From(spec, account?.Endpoint));
        RunAccount? opened = null;
        try
        {
            using var runLock = RunLock.TryTake(folder) ?? throw new InputException($"run '{Id}' is being run by another process.");
            opened = await OpenAccountAsync();
            await using var session = new RunSession(spec, folder, opened);
            Begin(session);
            var result = await new PlainDisplay(log, warningsOf: Id).ShowWhileAsync(session.Tally, session.RunAsync());
            await EndAsync(result.Outcome, keep: false);
            await ConsolePage.WriteAsync(log, result, folder);
        }
        catch (Exception e)
        {
            ErrorLines.WriteUnexpected(e, folder.OwnLog);
            bool began;
            lock (_gate)
                began = _session is not null;
            // What has begun can be resumed, so it is not noted that it has ended.
            var outcome = began ? Resumable(e, opened is { Waits: true }) : Outcome(RunState.Failed, OneLine.From(e.Message));
            await EndAsync(outcome, keep: !began && openAccount is null);
        }
    }

    /// <inheritdoc/>
    public Task GiveUpAsync() => openAccount is not null
        // What the folder says of its former end still holds.
        ? EndAsync(Outcome(RunState.Stopped, "It was stopped before it went on."), keep: false)
        : EndAsync(Outcome(RunState.Stopped, StoppedBeforeItBegan), keep: true);

    /// <inheritdoc/>
    public void Stop()
    {
        lock (_gate)
        {
            _stopping = true;
            _session?.Stop();
        }
    }

    /// <inheritdoc/>
    public void Kill()
    {
        lock (_gate)
        {
            // An account that is just being started is not the session's yet.
            _giveUp.Cancel();
            _session?.Kill();
        }
    }

    /// <summary>How far it is.</summary>
    public HostedRun Status()
    {
        lock (_gate)
        {
            var live = _last ?? (_session is { } session && _startedAt is { } at ? LiveRun.From(session.Tally.Snapshot(), at) : null);
            if (_outcome is { } outcome)
                return live is null ? HostedRun.From(outcome, spec.Documents) : LiveRun.Ended(live, outcome);
            return live ?? new HostedRun
            {
                State = _stopping ? HostedState.Stopping : _startedAt is null ? HostedState.Queued : HostedState.Running,
                StartedAt = _startedAt,
                Asked = spec.Documents,
            };
        }
    }

    public void Dispose() => _giveUp.Dispose();

    private Task<RunAccount> OpenAccountAsync()
    {
        lock (_gate)
            _startedAt = DateTimeOffset.UtcNow;
        return openAccount is not null ? openAccount(_giveUp.Token)
            : account is null ? RunAccounts.StartAsync(folder, spec, _giveUp.Token) : RunAccounts.UseAsync(folder, account, _giveUp.Token);
    }

    private void Begin(RunSession session)
    {
        lock (_gate)
        {
            _session = session;
            if (_stopping)
                session.Stop();
        }
    }

    private async Task EndAsync(RunOutcome outcome, bool keep)
    {
        if (keep)
            await TryKeepAsync(outcome);
        lock (_gate)
        {
            if (_session is { } session && _startedAt is { } at)
                _last = LiveRun.From(session.Tally.Snapshot(), at);
            _outcome = outcome;
            _session = null;
        }
    }

    /// <summary>Notes the end of a run that has no report, so that it does not seem to be under way for ever.</summary>
    private async Task TryKeepAsync(RunOutcome outcome)
    {
        try
        {
            await new RunFiles(new FolderRunStore(folder.RunsFolder), Id)
                .WriteEndedAsync(new RunEnded(outcome, DateTimeOffset.UtcNow), CancellationToken.None);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await log.WriteLineAsync($"error: run {Id}: {OneLine.From(e.Message)}");
        }
    }

    private RunOutcome Resumable(Exception e, bool accountWaits) => Outcome(RunState.Failed, OneLine.From(e.Message)) with
    {
        Reasons =
        [
            OneLine.From(e.Message),
            $"Once the cause is removed, the run goes on with: DevBox resume {Id} --out {folder.RunsFolder}"
                + (accountWaits ? $" {AccountIdleness.WaitText}" : ""),
        ],
    };

    private RunOutcome Outcome(RunState state, string reason) =>
        new() { RunId = Id, State = state, Documents = new DocumentCounts(), Remaining = spec.Documents, Reasons = [reason] };
}
