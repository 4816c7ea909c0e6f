namespace ScaleOut.DevBox.Orchestration;

/// <summary>A run that did not end. Its stored items have been read, and they belong to this run.</summary>
/// <param name="Folder">The run's folder, whose lock the caller holds.</param>
/// <param name="Spec">The spec as it was claimed.</param>
/// <param name="Warnings">Damaged items that the resumed run replaces, a sentence each.</param>
internal sealed record InterruptedRun(RunFolder Folder, RunSpec Spec, RemainingWork Remaining, IReadOnlyList<string> Warnings)
{
    private RunFiles Files { get; init; } = null!;

    /// <summary>Reads the stored items of the run, before anything is added to them.</summary>
    /// <exception cref="InputException">The run has ended, or an item is unusable and only the user can repair it.</exception>
    public static async Task<InterruptedRun> ReadAsync(
        RunFolder folder, RunFiles files, byte[] claimed, CancellationToken cancellationToken)
    {
        var spec = ReadSpec(claimed, folder);
        try
        {
            var remaining = await RemainingWorkReader.ReadAsync(files, cancellationToken);
            if (remaining == RemainingWork.None)
                throw new InputException([.. await WhyEndedAsync(folder, files, cancellationToken)]);
            if (remaining == RemainingWork.Conclusion)
                await files.ReadEndingAsync(cancellationToken);
            if (await files.ReadPreparedAsync(cancellationToken) is null && await files.HasLegsAsync(cancellationToken))
                throw new InputException(
                    $"run '{folder.RunId}' cannot be resumed: its legs have begun, and {folder.RunId}/prepared.json is missing in "
                    + $"{folder.RunsFolder}. Restore a copy of it, or start the run again under another id.");
            var legs = await files.ReadLegsAsync(cancellationToken);
            LegChain.Check(spec, legs, workers: []);
            List<string> warnings = [.. legs.Damaged.Select(item => $"{item.Text}.")];
            if (await files.FindEndedDamageAsync(cancellationToken) is { } mark)
                warnings.Add($"{mark.Item} is damaged: {mark.Reason}. The end of the run is noted again.");
            if (await files.FindReportDamageAsync(cancellationToken) is { } report)
                warnings.Add($"{report.Item} is damaged: {report.Reason}. The report is made again.");
            return new InterruptedRun(folder, spec, remaining, warnings) { Files = files };
        }
        catch (EvidenceException e)
        {
            throw Unusable(folder, e);
        }
    }

    private static async Task<IReadOnlyList<string>> WhyEndedAsync(
        RunFolder folder, RunFiles files, CancellationToken cancellationToken)
    {
        var ended = $"run '{folder.RunId}' has ended; its report is {folder.ReportPage}.";
        return await files.FindEndingDamageAsync(cancellationToken) is { } damage
            ? [ended, $"{damage.Item} is damaged: {damage.Reason}. The report was made before that."]
            : [ended];
    }

    public static InputException Unusable(RunFolder folder, EvidenceException problem) =>
        new($"'{folder.RunId}' cannot be resumed in {folder.RunsFolder}: {OneLine.From(problem.Message)}");

    /// <summary>Opens the run's account, and then removes the marks that the run was stopped or has ended.</summary>
    /// <param name="key">Key of a real account; null for an identity.</param>
    /// <param name="tables">The table account; null if none is given.</param>
    /// <param name="check">Throws if the account cannot be used with its settings.</param>
    /// <exception cref="InputException">The account is gone or unknown.</exception>
    public async Task<RunAccount> OpenAccountAsync(
        string? key, TableAccount? tables, Action<AccountConnection> check, CancellationToken cancellationToken)
    {
        var account = await FindAccountAsync(key, tables, check, cancellationToken);
        if (Remaining == RemainingWork.Documents)
        {
            await Files.WithdrawStopAsync(cancellationToken);
            await Files.WithdrawEndedAsync(cancellationToken);
        }

        return account;
    }

    /// <summary>Finds the run's account. A simulated account that is gone is replaced, unless the run had a container in it.</summary>
    private async Task<RunAccount> FindAccountAsync(
        string? key, TableAccount? tables, Action<AccountConnection> check, CancellationToken cancellationToken)
    {
        var isPrepared = await Files.HasAsync(RunFiles.PreparedName, cancellationToken);
        var mayBeGone = Remaining == RemainingWork.Conclusion || !isPrepared;
        var account = await RunAccounts.FindAsync(Folder, key, cancellationToken, mayBeGone, tables);
        if (account is { Connection.Simulated: true, Control: null } && Remaining == RemainingWork.Documents)
            account = null;
        if (account is not null)
        {
            check(account.Connection);
            return account;
        }

        if (Spec.Simulation is null || isPrepared)
        {
            throw new InputException($"run '{Folder.RunId}' cannot be resumed: " + (File.Exists(Folder.SpecFile)
                ? "its folder has no file with the account that it used."
                : $"its folder {Folder.FullPath} was deleted or moved meanwhile."));
        }

        return await RunAccounts.StartAsync(Folder, Spec, cancellationToken);
    }

    private static RunSpec ReadSpec(byte[] json, RunFolder folder)
    {
        var reading = RunSpecReader.Read(Encoding.UTF8.GetString(json));
        var errors = reading.Value is null
            ? reading.Errors
            : MachineChecks.ErrorsOf(reading.Value, reading.Value.Simulation is null ? RunTarget.OtherAccount : RunTarget.SimulatedAccount);
        return errors.Count == 0 ? reading.Value! : throw new InputException([.. errors.Select(error => $"{folder.SpecFile}: {error}")]);
    }
}

/// <summary>Deletes the files and the container of an interrupted run.</summary>
internal static class RunLeftovers
{
    /// <summary>Time for the workers of a killed program to detect its exit, and to finish writing.</summary>
    private static readonly TimeSpan WorkerExitGrace = TimeSpan.FromSeconds(1.5);

    /// <summary>
    /// Ends the run's simulated account, or deletes the container that the run has left in another account. Then it deletes everything in
    /// the run's folder except the lock, which the caller must hold.
    /// </summary>
    /// <param name="folder">The run's folder.</param>
    /// <param name="files">Items of the run.</param>
    /// <param name="account">Where the run's documents went; null for a simulated account of its own.</param>
    /// <exception cref="AccountException">The container could not be deleted.</exception>
    public static async Task DiscardAsync(RunFolder folder, RunFiles files, AccountConnection? account)
    {
        try
        {
            if (await RunAccounts.FindAsync(folder, key: null, CancellationToken.None) is { } left)
                await left.EndAsync();
        }
        catch (InputException)
        {
            // The simulated account is gone already.
        }

        if (!await files.HasAsync(RunFiles.EndingName, CancellationToken.None))
            await Task.Delay(WorkerExitGrace);
        if (account is not null)
            await DeleteContainerAsync(folder, files, account);
        foreach (var inner in Directory.GetDirectories(folder.FullPath))
            Directory.Delete(inner, recursive: true);
        // The spec is deleted last, because it shows that the other files belong to a run.
        foreach (var file in Directory.GetFiles(folder.FullPath).Where(file => file != folder.LockFile && file != folder.SpecFile))
            File.Delete(file);
        DurableFile.FlushFolder(folder.FullPath);
        File.Delete(folder.SpecFile);
    }

    private static async Task DeleteContainerAsync(RunFolder folder, RunFiles files, AccountConnection account)
    {
        var listing = new RunListing(folder.RunId, Name: null, TimeProvider.System.GetUtcNow());
        if (await LeftContainers.LeftOfAsync(listing, files, CancellationToken.None) is not { } left)
            return;
        using var containers = new ContainerControl(account);
        if (!await LeftContainerRemoval.RemoveAsync(containers, new FolderRunStore(folder.RunsFolder), left, CancellationToken.None))
            throw new InputException(
                $"run '{folder.RunId}' may have created a container, and this cannot be verified now: try again later.");
    }
}
