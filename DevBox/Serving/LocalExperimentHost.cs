namespace ScaleOut.DevBox.Serving;

/// <summary>Experiments on this machine for the HTTP interface, in one queue with the runs.</summary>
internal sealed class LocalExperimentHost(
    WorkQueue queue, string runsFolder, AccountConnection? account, TextWriter log, TableAccount? tables = null) : IExperimentHost
{
    public string? WhyFull => queue.WhyFull;

    public async Task<IDisposable?> EnterStartAsync(CancellationToken cancellationToken) => await queue.EnterStartAsync(cancellationToken);

    private readonly FolderRunStore _store = new(runsFolder);

    public async Task StartAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        var folder = new RunFolder(runsFolder, spec.Id!);
        // If the server ends while the experiment waits, the experiment is resumed on this account.
        if (account is not null)
            await RunAccounts.NoteAsync(folder, account, cancellationToken);
        queue.Add(new HostedExperimentSession(spec, folder, account, log, tables: tables));
    }

    public async Task<ResumeResult> TryResumeAsync(ExperimentSpec spec, CancellationToken cancellationToken)
    {
        var left = await UnmeasuredRuns.FindAsync(
            _store, spec, run => LocalExperimentActivities.AsClaimed(run, simulated: account is null, tables), cancellationToken);
        if (left.Count == 0)
            return ResumeResult.Nothing;
        if (queue.Running?.Id != spec.Id && RunLock.IsTaken(new RunFolder(runsFolder, spec.Id!).LockFile))
            return ResumeResult.Rejected($"The experiment '{spec.Id}' is run by another program on this machine.");
        var folder = new RunFolder(runsFolder, spec.Id!);
        if (await ExperimentAccount.FindOtherAsync(folder, spec, account, tables, cancellationToken) is { } other)
            return ResumeResult.Rejected(
                $"The experiment '{spec.Id}' goes to {other}, and this server to {ExperimentAccount.NameOf(account)}.");
        var session = new HostedExperimentSession(
            spec, folder, account, log, ExperimentStatus.Resumption(spec, left.Count), tables);
        if (queue.TryAdd(session))
            return ResumeResult.Resumed(left.Select(run => run.Spec));
        session.Dispose();
        return ResumeResult.Rejected($"The experiment '{spec.Id}' has just been resumed by another request.");
    }

    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        var response = await queue.StopAsync(id);
        if (response != StopResult.Unknown)
            return response;
        var files = new ExperimentFiles(_store, id);
        var status = await files.ReadStatusAsync(cancellationToken);
        if (Elsewhere(id) is not null)
        {
            // The other program reads this flag after its current run. That run reads its own flag within a second.
            await files.RequestStopAsync(cancellationToken);
            if (status?.RunId is { } run)
                await new RunFiles(_store, run).RequestStopAsync(cancellationToken);
            return StopResult.Stopping;
        }

        return status is { Outcome: not null } or { Reason: not null } ? StopResult.Ended : StopResult.NotRunning;
    }

    public Task<HostedExperiment?> ReadStatusAsync(string id, ExperimentSpec? spec, CancellationToken cancellationToken) =>
        Task.FromResult(queue.Find(id) is (HostedExperimentSession session, _) ? session.Status() : Elsewhere(id));

    /// <summary>An experiment that another process on this machine runs.</summary>
    private HostedExperiment? Elsewhere(string id) =>
        RunLock.IsTaken(new RunFolder(runsFolder, id).LockFile)
            ? new HostedExperiment(HostedState.Running, Status: null, ["Another program on this machine runs it."])
            : null;
}
