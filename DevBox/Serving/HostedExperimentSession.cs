namespace ScaleOut.DevBox.Serving;

/// <summary>A claimed experiment in the server. It keeps the tally of the current run, to show how far that run is.</summary>
/// <param name="account">The account that its runs use; null for simulated accounts.</param>
/// <param name="resumption">Status of an experiment that was begun before; null for a new one.</param>
internal sealed class HostedExperimentSession(
    ExperimentSpec spec,
    RunFolder folder,
    AccountConnection? account,
    TextWriter log,
    ExperimentStatus? resumption = null,
    TableAccount? tables = null) : JobSession("experiment", spec.Id!, folder, log, resumption is not null), IExperimentDisplay
{
    private readonly ExperimentStop _stop = new();
    private readonly ExperimentLines _lines = new(log, _ => new PlainDisplay(TextWriter.Null));
    private ExperimentStatus? _status = resumption;
    private HostedState? _ended;
    private (string Id, RunTally Tally, DateTimeOffset StartedAt)? _run;
    private bool _began;
    private IReadOnlyList<string> _reasons = [];

    public override void Stop() => _stop.Request();

    public override void Kill() => _stop.Kill();

    /// <summary>The state and progress of the experiment.</summary>
    public HostedExperiment Status()
    {
        lock (Gate)
        {
            var shown = EndIsShown ? _ended : null;
            var state = shown ?? (_stop.IsRequested ? HostedState.Stopping : _began ? HostedState.Running : HostedState.Queued);
            return new HostedExperiment(state, _status, shown is null ? [] : _reasons);
        }
    }

    /// <summary>The status of the current run; null for any other run.</summary>
    public RunStatus? StatusOfRun(string runId)
    {
        lock (Gate)
            return _run is { } run && run.Id == runId ? run.Tally.Snapshot() with { StartedAt = run.StartedAt } : null;
    }

    public void Show(ExperimentStatus status)
    {
        lock (Gate)
            _status = status;
        _lines.Show(status);
    }

    public async Task<T> ShowWhileAsync<T>(PlannedRun run, RunTally tally, Task<T> work)
    {
        lock (Gate)
            _run = (run.Spec.Id!, tally, TimeProvider.System.GetUtcNow());
        try
        {
            return await new PlainDisplay(Log, warningsOf: run.Spec.Id).ShowWhileAsync(tally, work);
        }
        finally
        {
            lock (Gate)
                _run = null;
        }
    }

    public void Ended(PlannedRun run, RunResult result) => _lines.Ended(run, result);

    public void Note(string text) => _lines.Note(text);

    public void Found(PlannedRun run, RunReport report) => _lines.Found(run, report);

    public override void Dispose() => _stop.Dispose();

    protected override string Begin()
    {
        lock (Gate)
            _began = true;
        return ExperimentHeading.From(spec, account?.Endpoint.Host ?? "simulated account");
    }

    protected override async Task ExecuteAsync()
    {
        if (account is not null)
            await RunAccounts.UseAsync(Folder, account, _stop.GiveUp);
        var outcome = await new LocalExperimentActivities(Folder.RunsFolder, spec, account, _stop, this, tables)
            .RunAsync(new RunLog(Folder));
        End(HostedExperiment.StateOf(outcome.State), []);
        var page = (await EndedExperiment.ReadAsync(spec, Folder, outcome.State)).Page;
        await LogAsync(writer => ConsolePage.WriteAsync(writer, page, Folder));
    }

    protected override Task FailAsync(string reason)
    {
        End(HostedState.Failed, [reason]);
        return Task.CompletedTask;
    }

    protected override void EndBeforeItBegan(string reason)
    {
        // The former end in the experiment's folder still holds.
        if (IsResumed)
        {
            lock (Gate)
                _status = null;
        }

        End(HostedState.Stopped, [reason]);
    }

    protected override Task NoteEndAsync(FolderRunStore store, string reason) =>
        new ExperimentFiles(store, Id).WriteStatusAsync(ExperimentStatus.GivenUp(spec, reason), CancellationToken.None);

    private void End(HostedState state, IReadOnlyList<string> reasons)
    {
        lock (Gate)
            (_ended, _reasons) = (state, reasons);
    }
}
