namespace ScaleOut.DevBox.Serving;

/// <summary>A claimed experiment in the server. It shows its runs by keeping the tally of the one that is on.</summary>
/// <param name="account">Where its runs go; null for simulated accounts.</param>
/// <param name="log">Receives the lines about its runs.</param>
/// <param name="resumption">How far an experiment is that was begun before; null for a new one.</param>
/// <param name="tables">Where runs go that write to tables; null where there is none.</param>
internal sealed class HostedExperimentSession(
    ExperimentSpec spec,
    RunFolder folder,
    AccountConnection? account,
    TextWriter log,
    ExperimentStatus? resumption = null,
    TableAccount? tables = null) : IHostedWork, IExperimentDisplay
{
    private readonly Lock _gate = new();
    private readonly ExperimentStop _stop = new();
    private readonly ExperimentLines _lines = new(log, _ => new PlainDisplay(TextWriter.Null));
    private readonly bool _resumption = resumption is not null;
    private ExperimentStatus? _status = resumption;
    private HostedState? _ended;
    private (string Id, RunTally Tally, DateTimeOffset StartedAt)? _run;
    private bool _began;
    private IReadOnlyList<string> _reasons = [];

    public string Id => spec.Id!;

    /// <inheritdoc/>
    public async Task RunAsync()
    {
        lock (_gate)
            _began = true;
        await log.WriteLineAsync(ExperimentHeading.From(spec, account?.Endpoint.Host ?? "simulated account"));
        try
        {
            using var taken = RunLock.TryTake(folder) ?? throw new InputException($"experiment '{Id}' is being run by another process.");
            if (account is not null)
                await RunAccounts.UseAsync(folder, account, _stop.GiveUp);
            var outcome = await new LocalExperimentActivities(folder.RunsFolder, spec, account, _stop, this, tables)
                .RunAsync(new RunLog(folder));
            End(HostedExperiment.StateOf(outcome.State), []);
            var files = new ExperimentFiles(new FolderRunStore(folder.RunsFolder), Id);
            if (await files.ReadReportAsync(RunFiles.ReportName, CancellationToken.None) is { } json)
            {
                var page = spec.Limit is null
                    ? ExperimentForms.Kind.PageOf(ExperimentForms.Kind.Read(json))
                    : LimitForms.Kind.PageOf(LimitForms.Kind.Read(json));
                await ConsolePage.WriteAsync(log, page, folder);
            }
        }
        catch (Exception e)
        {
            ErrorLines.WriteUnexpected(e, folder.OwnLog);
            End(HostedState.Failed, [OneLine.From(e.Message)]);
        }
    }

    /// <inheritdoc/>
    public async Task GiveUpAsync()
    {
        if (_resumption)
        {
            // What the folder says of its former end still holds.
            lock (_gate)
                _status = null;
            End(HostedState.Stopped, ["It was stopped before it went on."]);
            return;
        }

        var status = ExperimentStatus.GivenUp(spec, "It was stopped before it began.");
        await TryKeepAsync(status);
        End(HostedState.Stopped, [status.Reason!]);
    }

    /// <inheritdoc/>
    public void Stop() => _stop.Request();

    /// <inheritdoc/>
    public void Kill() => _stop.Kill();

    /// <summary>How far it is.</summary>
    public HostedExperiment Status()
    {
        lock (_gate)
        {
            var state = _ended ?? (_stop.IsRequested ? HostedState.Stopping : _began ? HostedState.Running : HostedState.Queued);
            return new HostedExperiment(state, _status, _reasons);
        }
    }

    /// <summary>How far the run is that is on; null for any other.</summary>
    public HostedRun? StatusOfRun(string runId)
    {
        lock (_gate)
            return _run is { } run && run.Id == runId ? LiveRun.From(run.Tally.Snapshot(), run.StartedAt) : null;
    }

    /// <inheritdoc/>
    public void Show(ExperimentStatus status)
    {
        lock (_gate)
            _status = status;
        _lines.Show(status);
    }

    /// <inheritdoc/>
    public async Task<T> ShowWhileAsync<T>(ExperimentRun run, RunTally tally, Task<T> work)
    {
        lock (_gate)
            _run = (run.Spec.Id!, tally, DateTimeOffset.UtcNow);
        try
        {
            return await new PlainDisplay(log, warningsOf: run.Spec.Id).ShowWhileAsync(tally, work);
        }
        finally
        {
            lock (_gate)
                _run = null;
        }
    }

    /// <inheritdoc/>
    public void Ended(ExperimentRun run, RunResult result) => _lines.Ended(run, result);

    /// <inheritdoc/>
    public void Note(string text) => _lines.Note(text);

    /// <inheritdoc/>
    public void Found(ExperimentRun run, RunReport report) => _lines.Found(run, report);

    public void Dispose() => _stop.Dispose();

    /// <summary>Notes the end of an experiment that never began, so that the next server does not take it for an interrupted one.</summary>
    private async Task TryKeepAsync(ExperimentStatus status)
    {
        try
        {
            await new ExperimentFiles(new FolderRunStore(folder.RunsFolder), Id).WriteStatusAsync(status, CancellationToken.None);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await log.WriteLineAsync($"error: experiment {Id}: {OneLine.From(e.Message)}");
        }
    }

    private void End(HostedState state, IReadOnlyList<string> reasons)
    {
        lock (_gate)
            (_ended, _reasons) = (state, reasons);
    }
}
