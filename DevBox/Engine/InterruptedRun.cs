namespace ScaleOut.DevBox.Engine;

/// <summary>A run that did not end. Its kept items have been read and belong to it.</summary>
/// <param name="Folder">The run's. The caller holds its lock.</param>
/// <param name="Spec">As it was claimed.</param>
/// <param name="Warnings">Damaged items that the resumed run replaces, a sentence each.</param>
internal sealed record InterruptedRun(RunFolder Folder, RunSpec Spec, RunRemainder Remainder, IReadOnlyList<string> Warnings)
{
    private RunFiles Files { get; init; } = null!;

    /// <summary>Reads what the run has kept, before anything is added to it.</summary>
    /// <exception cref="InputException">It has ended, or something cannot be used and only the user can mend it.</exception>
    public static async Task<InterruptedRun> ReadAsync(
        RunFolder folder, RunFiles files, byte[] claimed, CancellationToken cancellationToken)
    {
        var spec = ReadSpec(claimed, folder);
        try
        {
            var remainder = await RunRemainders.FindAsync(files, cancellationToken);
            if (remainder == RunRemainder.Nothing)
                throw new InputException(await WhyEndedAsync(folder, files, cancellationToken));
            if (remainder == RunRemainder.Conclusion)
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
            return new InterruptedRun(folder, spec, remainder, warnings) { Files = files };
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

    /// <summary>Opens the run's account, after which the run is no longer marked as stopped or ended.</summary>
    /// <param name="key">Key of a real account; null for an identity.</param>
    /// <param name="tables">The table account; null if none is given.</param>
    /// <param name="check">Throws where the account cannot be used as it is given.</param>
    /// <exception cref="InputException">The account is gone or unknown.</exception>
    public async Task<RunAccount> OpenAccountAsync(
        string? key, TableAccount? tables, Action<AccountConnection> check, CancellationToken cancellationToken)
    {
        var account = await FindAccountAsync(key, tables, check, cancellationToken);
        if (Remainder == RunRemainder.Work)
        {
            await Files.WithdrawStopAsync(cancellationToken);
            await Files.WithdrawEndedAsync(cancellationToken);
        }

        return account;
    }

    /// <summary>The run's account. A simulated one that is gone is replaced while the run has no container in it.</summary>
    private async Task<RunAccount> FindAccountAsync(
        string? key, TableAccount? tables, Action<AccountConnection> check, CancellationToken cancellationToken)
    {
        var isPrepared = await Files.HasAsync(RunFiles.PreparedName, cancellationToken);
        var mayBeGone = Remainder == RunRemainder.Conclusion || !isPrepared;
        var account = await RunAccounts.FindAsync(Folder, key, cancellationToken, mayBeGone, tables);
        if (account is { Connection.Simulated: true, Control: null } && Remainder == RunRemainder.Work)
            account = null;
        if (account is not null)
        {
            check(account.Connection);
            return account;
        }

        if (Spec.Simulation is null || isPrepared)
            throw new InputException($"run '{Folder.RunId}' cannot be resumed: its folder does not say which account it went to.");
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
