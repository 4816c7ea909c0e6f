namespace ScaleOut.DevBox.Commands;

/// <summary>An experiment whose id this program holds, until it is disposed of.</summary>
internal sealed class ExperimentClaim : IDisposable
{
    private readonly RunLock _lock;

    private ExperimentClaim(RunLock taken, ExperimentSpec spec) => (_lock, Spec) = (taken, spec);

    /// <summary>As it is claimed.</summary>
    public ExperimentSpec Spec { get; }

    /// <summary>Claims a new experiment, or resumes the same one where it was interrupted.</summary>
    /// <exception cref="InputException">The id is in use, or the folder cannot be written.</exception>
    public static async Task<ExperimentClaim> TakeAsync(
        RunFolder folder, ExperimentSpec spec, AccountConnection? account, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        RunLock? taken = null;
        try
        {
            taken = RunLock.TryTake(folder)
                ?? throw new InputException($"--id: experiment '{spec.Id}' is running already in {folder.FullPath}.");
            var store = new FolderRunStore(folder.RunsFolder);
            var files = new ExperimentFiles(store, folder.RunId);
            var isFree = await files.ReadSpecAsync(cancellationToken) is null
                && await new RunFiles(store, folder.RunId).ReadSpecAsync(cancellationToken) is null;
            DurableFile.DeleteTemporaryFiles(folder.FullPath);
            if (isFree && account is not null)
                await RunAccounts.NoteAsync(folder, account, cancellationToken);
            if (isFree && await files.TryClaimAsync(spec, cancellationToken))
                return new ExperimentClaim(taken, spec);
            var (claimed, isMeasured) = await ExperimentResumption.CheckSameAsync(
                files, folder, spec, simulated: account is null, tables, cancellationToken);
            if (isMeasured)
                throw ExperimentResumption.HasEnded(folder);
            return new ExperimentClaim(taken, claimed);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            taken?.Dispose();
            throw new InputException($"--out: the experiment's folder {folder.FullPath} cannot be written: {OneLine.From(e.Message)}");
        }
        catch
        {
            taken?.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _lock.Dispose();
}
