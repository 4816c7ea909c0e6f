namespace ScaleOut.DevBox.Serving;

/// <summary>A claimed run in the server.</summary>
/// <param name="spec">The run's complete spec.</param>
/// <param name="account">The account that the run writes to; null for a simulated account of its own.</param>
/// <param name="openAccount">Opens the account of a run that is resumed; null for a new run.</param>
internal sealed class HostedRunSession(
    RunSpec spec,
    RunFolder folder,
    AccountConnection? account,
    TextWriter log,
    Func<CancellationToken, Task<RunAccount>>? openAccount = null) : JobSession("run", spec.Id!, folder, log, openAccount is not null)
{
    private readonly CancellationTokenSource _giveUp = new();
    private RunSession? _session;
    private bool _accountWaits;
    private DateTimeOffset? _startedAt;
    private RunOutcome? _outcome;
    private RunStatus? _last;
    private bool _stopping;

    public override void Stop()
    {
        lock (Gate)
        {
            _stopping = true;
            _session?.Stop();
        }
    }

    public override void Kill()
    {
        lock (Gate)
        {
            // An account that is just being started does not belong to the session yet.
            _giveUp.Cancel();
            _session?.Kill();
        }
    }

    /// <summary>The state and progress of the run.</summary>
    public RunStatus Status()
    {
        lock (Gate)
        {
            var live = _last ?? (_session is { } session && _startedAt is { } at ? session.Tally.Snapshot() with { StartedAt = at } : null);
            if (EndIsShown && _outcome is { } outcome)
                return live is null ? RunStatus.From(outcome, spec.Documents) : live.EndedWith(outcome);
            return live ?? new RunStatus
            {
                State = _stopping ? HostedState.Stopping : _startedAt is null ? HostedState.Queued : HostedState.Running,
                StartedAt = _startedAt,
                Asked = spec.Documents,
            };
        }
    }

    public override void Dispose() => _giveUp.Dispose();

    protected override string Begin()
    {
        lock (Gate)
            _startedAt = TimeProvider.System.GetUtcNow();
        return RunHeading.From(spec, account?.Endpoint);
    }

    protected override async Task ExecuteAsync()
    {
        var opened = await (openAccount is not null ? openAccount(_giveUp.Token)
            : account is null ? RunAccounts.StartAsync(Folder, spec, _giveUp.Token) : RunAccounts.UseAsync(Folder, account, _giveUp.Token));
        _accountWaits = opened.Waits;
        await using var session = new RunSession(spec, Folder, opened);
        lock (Gate)
        {
            _session = session;
            if (_stopping)
                session.Stop();
        }

        var result = await new PlainDisplay(Log, warningsOf: Id).ShowWhileAsync(session.Tally, session.RunAsync());
        End(result.Outcome);
        await LogAsync(writer => ConsolePage.WriteAsync(writer, result, Folder));
    }

    protected override async Task FailAsync(string reason)
    {
        bool began;
        lock (Gate)
            began = _session is not null;
        var outcome = Outcome(RunState.Failed, reason);
        var resume = $"Once the cause is removed, the run goes on with: {Folder.ResumeCommand}"
            + (_accountWaits ? $" {AccountIdleness.WaitText}" : "");
        try
        {
            // A run that has begun can be resumed, so its end is not noted.
            if (!began && !IsResumed)
                await TryNoteEndAsync(reason);
        }
        finally
        {
            End(began ? outcome with { Reasons = [reason, resume] } : outcome);
        }
    }

    protected override void EndBeforeItBegan(string reason) => End(Outcome(RunState.Stopped, reason));

    protected override Task NoteEndAsync(FolderRunStore store, string reason)
    {
        var outcome = Outcome(_startedAt is null ? RunState.Stopped : RunState.Failed, reason);
        return new RunFiles(store, Id).WriteEndedAsync(new RunEnded(outcome, TimeProvider.System.GetUtcNow()), CancellationToken.None);
    }

    private void End(RunOutcome outcome)
    {
        lock (Gate)
        {
            if (_session is { } session && _startedAt is { } at)
                _last = session.Tally.Snapshot() with { StartedAt = at };
            _outcome = outcome;
            _session = null;
        }
    }

    private RunOutcome Outcome(RunState state, string reason) =>
        new() { RunId = Id, State = state, Remaining = spec.Documents, Reasons = [reason] };
}
