namespace ScaleOut.DevBox.Commands;

/// <summary>Claims a run's or an experiment's id and holds its lock.</summary>
/// <param name="input">The command line, which is noted as what started the job.</param>
internal sealed class JobClaim(CommandInput input, RunFolder folder)
{
    /// <param name="kind">The kind of job in messages, such as <c>run</c>.</param>
    /// <param name="account">Noted in the folder, so that a resumed job finds its account; null for simulated accounts.</param>
    /// <param name="tryClaimAsync">Claims the free id; false if another process has just claimed it.</param>
    /// <param name="takeUpAsync">Resumes the job that has the id already, or throws an error that says why it cannot be resumed.</param>
    /// <exception cref="InputException">The id is in use, or the folder cannot be written.</exception>
    private async Task<RunLock> TakeAsync(
        string kind, AccountConnection? account, Func<Task<bool>> tryClaimAsync, Func<Task> takeUpAsync,
        CancellationToken cancellationToken)
    {
        RunLock? taken = null;
        try
        {
            taken = RunLock.TryCreate(folder)
                ?? throw new InputException($"--id: {kind} '{folder.RunId}' is running already in {folder.FullPath}.");
            var store = new FolderRunStore(folder.RunsFolder);
            var isFree = await new RunFiles(store, folder.RunId).ReadSpecAsync(cancellationToken) is null
                && await new ExperimentFiles(store, folder.RunId).ReadSpecAsync(cancellationToken) is null;
            DurableFile.DeleteTemporaryFiles(folder.FullPath);
            if (isFree && account is not null)
                await RunAccounts.NoteAsync(folder, account, cancellationToken);
            else if (isFree)
                new AccountFolder(folder.FullPath).Delete();
            if (isFree && await tryClaimAsync())
                await new JobFiles(store, folder.RunId).CreateStartedByIfAbsentAsync(input.CommandText, cancellationToken);
            else
                await takeUpAsync();
            return taken;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            taken?.Dispose();
            throw new InputException($"--out: the {kind}'s folder {folder.FullPath} cannot be written: {OneLine.From(e.Message)}");
        }
        catch
        {
            taken?.Dispose();
            throw;
        }
    }

    /// <exception cref="InputException">The id is in use, or the folder cannot be written.</exception>
    public async Task<RunLock> TakeAsync(RunSpec spec, AccountConnection? account, CancellationToken cancellationToken)
    {
        var files = new RunFiles(new FolderRunStore(folder.RunsFolder), folder.RunId);
        var inUse = $"--id: there is a run '{spec.Id}' already in {folder.FullPath}";
        try
        {
            return await TakeAsync(
                "run", account, () => files.TryClaimAsync(spec, cancellationToken), RejectAsync, cancellationToken);
        }
        catch (EvidenceException e)
        {
            throw new InputException($"{inUse}, and it cannot be resumed: {OneLine.From(e.Message)}");
        }

        async Task RejectAsync()
        {
            if (await files.HasLegsWithoutSpecAsync(cancellationToken))
                throw new InputException(
                    $"--id: legs of a run '{spec.Id}' are in {folder.FullPath}, but its spec.json is missing. Restore it and resume "
                    + "the run, or choose another id.");
            var ended = await RemainingWorkReader.ReadAsync(files, cancellationToken) == RemainingWork.None;
            throw new InputException(ended
                ? $"{inUse}. It has ended: choose another id."
                : $"{inUse}. Choose another id, or resume it with: {folder.ResumeCommand}");
        }
    }

    /// <summary>Claims a new experiment, or continues the same one if it was interrupted.</summary>
    /// <returns>The lock, and the spec as it is claimed.</returns>
    /// <exception cref="InputException">The id is in use, or the folder cannot be written.</exception>
    public async Task<(RunLock Lock, ExperimentSpec Spec)> TakeAsync(
        ExperimentSpec spec, AccountConnection? account, TableAccount? tables, CancellationToken cancellationToken)
    {
        var files = new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId);
        var claimed = spec;
        var taken = await TakeAsync(
            "experiment", account, () => files.TryClaimAsync(spec, cancellationToken),
            async () => claimed = await ExperimentResumption.ReadSameAsync(
                files, folder, spec, account, tables, cancellationToken),
            cancellationToken);
        return (taken, claimed);
    }
}
