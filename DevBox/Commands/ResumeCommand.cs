namespace ScaleOut.DevBox.Commands;

/// <summary><c>resume</c>: continues a run from what was done, and an experiment with its remaining runs.</summary>
internal sealed class ResumeCommand
{
    private readonly Argument<string> _id = new("run id") { Description = "The run's or experiment's id: the name of its folder." };
    private readonly ReportOutput _output = new(example: "throttledShare>0.05", strict: true);
    private readonly TableAccountOption _tables = new();

    public Command Create() => new CommandWithExamples(
        "resume",
        "Goes on with a run or an experiment whose program was killed, from what was done.",
        RunAsync,
        ("resume nightly", "the run or experiment in the folder runs/nightly"),
        ("resume nightly --out results", "the one in results/nightly"))
    {
        _id, _output.All, _tables,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var runsFolder = errors.Try(() => _output.RunsFolder(input));
        _output.CheckFiles(input, errors);
        var tables = errors.Try(() => _tables.Read(input));
        var found = await errors.TryAsync(() => FindAsync(input, runsFolder, cancellationToken));
        var condition = errors.Try(
            () => _output.FailIf(input, found is { IsExperiment: true } ? FailIfNames.OfClaimed(found.Value.Claimed) : FailIfNames.OfRun));
        errors.ThrowIfAny();

        var (folder, json, isExperiment) = found!.Value;
        if (isExperiment)
            return await ResumeExperimentAsync(input, condition, folder, json, tables, cancellationToken);
        var id = folder.RunId;
        using var runLock = await TakeLockAsync(folder, "run");
        var resumption = await ReadAsync(folder, json, cancellationToken);
        ErrorLines.Warn(resumption.Warnings);
        return await new RunExecution(input, _output, folder, condition).RunAsync(
            resumption.Spec,
            giveUp => resumption.OpenAccountAsync(
                AccountConnectionOptions.KeyFromEnvironment, tables, AccountConnectionOptions.Check, giveUp));
    }

    /// <summary>
    /// The run or experiment to resume, with its claimed spec. Null if the command line names none, which is reported as another error.
    /// </summary>
    private async Task<(RunFolder Folder, byte[] Claimed, bool IsExperiment)?> FindAsync(
        CommandInput input, string? runsFolder, CancellationToken cancellationToken)
    {
        if (input.Value(_id) is not { } id || runsFolder is null)
            return null;
        // An id that is a path would lead to another folder.
        if (Path.GetFileName(id) != id)
            throw new InputException($"there is no run '{id}' in {runsFolder}.");
        var (folder, store) = (new RunFolder(runsFolder, id), new FolderRunStore(runsFolder));
        try
        {
            return await UsableAsync<(RunFolder, byte[], bool)>(folder, async () =>
                await new ExperimentFiles(store, id).ReadSpecAsync(cancellationToken) is { } experiment ? (folder, experiment, true)
                : await new RunFiles(store, id).ReadSpecAsync(cancellationToken) is { } run ? (folder, run, false)
                : throw new InputException($"there is no run '{id}' in {runsFolder}."));
        }
        catch (EvidenceException e)
        {
            throw InterruptedRun.Unusable(folder, e);
        }
    }

    /// <exception cref="InputException">Another process has the lock, or this user may not write in the folder.</exception>
    private static Task<RunLock> TakeLockAsync(RunFolder folder, string kind) => UsableAsync(folder, () => Task.FromResult(
        RunLock.TryTake(folder) ?? throw new InputException($"{kind} '{folder.RunId}' is being run by another process.")));

    private static Task<InterruptedRun> ReadAsync(RunFolder folder, byte[] claimed, CancellationToken cancellationToken) =>
        UsableAsync(folder, () =>
        {
            DurableFile.DeleteTemporaryFiles(folder.FullPath);
            var files = new RunFiles(new FolderRunStore(folder.RunsFolder), folder.RunId);
            return InterruptedRun.ReadAsync(folder, files, claimed, cancellationToken);
        });

    private static async Task<T> UsableAsync<T>(RunFolder folder, Func<Task<T>> useAsync)
    {
        try
        {
            return await useAsync();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                $"'{folder.RunId}' cannot be resumed: this user cannot read or write everything in {folder.FullPath}: "
                + OneLine.From(e.Message));
        }
    }

    private async Task<int> ResumeExperimentAsync(
        CommandInput input, FailIfExpression? condition, RunFolder folder, byte[] claimed, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        using var stop = new ExperimentStop();
        using var signals = JobSignals.Listen(stop.Request, stop.Kill);
        using var runLock = await TakeLockAsync(folder, "experiment");
        var account = await RunAccounts.FindAsync(folder, AccountConnectionOptions.KeyFromEnvironment, cancellationToken);
        if (account is not null)
            AccountConnectionOptions.Check(account.Connection);
        var files = new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId);
        var spec = await ExperimentResumption.ReadUnfinishedAsync(
            files, folder, claimed, simulated: account is null, tables, cancellationToken);
        return await new ExperimentExecution(input, folder, account?.Connection, tables, stop).RunAsync(_output, spec, condition);
    }
}
