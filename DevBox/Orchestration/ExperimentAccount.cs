namespace ScaleOut.DevBox.Orchestration;

/// <summary>The account of an experiment's measured runs, which all its runs must go to.</summary>
internal static class ExperimentAccount
{
    /// <summary>Names the account of the measured runs if it is not the given one; otherwise null.</summary>
    /// <param name="account">The account that the remaining runs would go to; null for simulated accounts.</param>
    public static async Task<string?> FindOtherAsync(
        RunFolder folder, ExperimentSpec spec, AccountConnection? account, TableAccount? tables, CancellationToken cancellationToken)
    {
        if (await new AccountFolder(folder.FullPath).ReadAsync(cancellationToken) is { } file)
            return file.Endpoint == account?.Endpoint ? null : file.Endpoint.Authority;
        if (account is null)
            return null;
        if (RunPlanner.From(spec).All is not { } all)
            return null;
        var simulated = all.Select(run => LocalExperimentActivities.AsClaimed(run, simulated: true, tables)).OfType<PlannedRun>().ToList();
        var left = await UnmeasuredRuns.FindAsync(new FolderRunStore(folder.RunsFolder), simulated, cancellationToken);
        return left.Count < simulated.Count ? "simulated accounts" : null;
    }

    /// <summary>What an account is called beside <see cref="FindOtherAsync"/>.</summary>
    public static string NameOf(AccountConnection? account) => account?.Endpoint.Authority ?? "simulated accounts";
}
