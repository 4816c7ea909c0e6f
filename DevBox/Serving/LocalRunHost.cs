namespace ScaleOut.DevBox.Serving;

/// <summary>Runs on this machine for the HTTP interface.</summary>
internal sealed class LocalRunHost(
    WorkQueue queue, string runsFolder, AccountConnection? account, TextWriter log, TableAccount? tables = null) : IRunHost
{
    public string? WhyFull => queue.WhyFull;

    public async Task<IDisposable?> EnterStartAsync(CancellationToken cancellationToken) => await queue.EnterStartAsync(cancellationToken);

    public async Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        var folder = new RunFolder(runsFolder, spec.Id!);
        // If the server ends while the run waits, the run is resumed on this account.
        var given = spec.Workload.Kind.UsesTables() && tables is not null ? tables.ToConnection() : account;
        if (given is not null)
            await RunAccounts.NoteAsync(folder, given, cancellationToken);
        queue.Add(new HostedRunSession(spec, folder, given, log));
    }

    public async Task<StopResult> StopAsync(string id, CancellationToken cancellationToken)
    {
        var response = await queue.StopAsync(id);
        if (response != StopResult.Unknown)
            return response;
        var files = Files(id);
        if (await ElsewhereAsync(id, spec: null, cancellationToken) is { } run)
        {
            if (run.State == HostedState.Interrupted)
                return await GiveUpAsync(files, run, id, cancellationToken) ? StopResult.Stopping : StopResult.NotRunning;
            // The run belongs to an experiment or to another program. Its workers see the flag within a second.
            await files.RequestStopAsync(cancellationToken);
            return StopResult.Stopping;
        }

        return response;
    }

    public async Task<ResumeResult> TryResumeAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        var (id, folder) = (spec.Id!, new RunFolder(runsFolder, spec.Id!));
        if (RunLock.IsTaken(folder.LockFile))
            return ResumeResult.Rejected($"The run '{id}' is run by another program on this machine.");
        if (await RemainingWorkReader.ReadAsync(Files(id), cancellationToken) == RemainingWork.None)
            return ResumeResult.Nothing;
        if (await new AccountFolder(folder.FullPath).ReadAsync(cancellationToken) is { Simulated: false, Tables: false } noted
            && noted.Endpoint != account?.Endpoint)
            return ResumeResult.Rejected(
                $"The run '{id}' goes to {noted.Endpoint.Authority}, and this server to {ExperimentAccount.NameOf(account)}.");
        var session = new HostedRunSession(spec, folder, account, log, async giveUp =>
        {
            var claimed = await Files(id).ReadSpecAsync(giveUp) ?? throw new InputException($"the spec of run '{id}' is missing.");
            var resumption = await InterruptedRun.ReadAsync(folder, Files(id), claimed, giveUp);
            foreach (var warning in resumption.Warnings)
                await log.WriteLineAsync($"warning: {warning}");
            return await resumption.OpenAccountAsync(account?.Key, tables, check: _ => { }, giveUp);
        });
        if (queue.TryAdd(session))
            return ResumeResult.Resumed([spec]);
        session.Dispose();
        return ResumeResult.Rejected($"The run '{id}' has just been resumed by another request.");
    }

    public async Task<RunStatus?> ReadStatusAsync(string id, RunSpec? spec, CancellationToken cancellationToken) =>
        queue.Find(id) is (HostedRunSession session, var ahead) ? session.Status() with { RunsAhead = ahead }
        : queue.Running is HostedExperimentSession experiment && experiment.StatusOfRun(id) is { } live ? live
        : await ElsewhereAsync(id, spec, cancellationToken);

    /// <summary>
    /// The status of a run that this server does not execute and that has not ended. Either another process on this machine runs it, such
    /// as the command line, or no process does any more.
    /// </summary>
    private async Task<RunStatus?> ElsewhereAsync(string id, RunSpec? spec, CancellationToken cancellationToken)
    {
        var files = Files(id);
        if (await files.ReadEndedAsync(cancellationToken) is not null)
            return null;
        spec ??= await files.ReadClaimedAsync(cancellationToken);
        if (spec is null)
            return null;
        var run = new RunStatus
        {
            State = HostedState.Interrupted,
            Asked = spec.Documents,
        };
        if (RunLock.IsTaken(new RunFolder(runsFolder, id).LockFile))
            return run with
            {
                State = await files.IsStopRequestedAsync(cancellationToken) ? HostedState.Stopping : HostedState.Running,
                Reasons = ["Another program on this machine runs it and shows its progress."],
            };
        return run with
        {
            Reasons =
            [
                await HasBegunAsync(files, cancellationToken)
                    ? "The program that ran it ended before the run did. Resume it to go on from what was done."
                    : "The program that was to run it ended before the run began. Resume it, or stop it.",
            ],
        };
    }

    private static Task<bool> HasBegunAsync(RunFiles files, CancellationToken cancellationToken) =>
        files.HasAsync(RunFiles.PreparedName, cancellationToken);

    /// <summary>
    /// Notes that a run that never began has been stopped. False if the run has begun, or if a process begins with it now.
    /// </summary>
    private async Task<bool> GiveUpAsync(RunFiles files, RunStatus run, string id, CancellationToken cancellationToken)
    {
        using var taken = RunLock.TryTake(new RunFolder(runsFolder, id));
        if (taken is null || await HasBegunAsync(files, cancellationToken))
            return false;
        var outcome = new RunOutcome
        {
            RunId = id, State = RunState.Stopped, Remaining = run.Asked,
            Reasons = [HostedRunSession.StoppedBeforeItBegan],
        };
        await files.WriteEndedAsync(new RunEnded(outcome, TimeProvider.System.GetUtcNow()), cancellationToken);
        return true;
    }

    private RunFiles Files(string id) => new(new FolderRunStore(runsFolder), id);
}
