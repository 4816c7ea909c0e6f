using ScaleOut.Simulator.Engine.Ledger;

namespace ScaleOut.DevBox.Accounts;

/// <summary>
/// The ledger of a run's own simulated account: read before the account ends, kept in the run's folder, and compared with the report.
/// </summary>
internal sealed class KeptLedger(RunFolder folder, RunAccount account)
{
    private readonly string _item = $"{folder.RunId}/{Path.GetFileName(folder.LedgerFile)}";
    private string? _error;

    /// <summary>Keeps the ledger, unless the account has none or is gone.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    public async Task KeepAsync()
    {
        if (account.Control is not { } control || account.Gone.IsCompleted)
            return;
        try
        {
            var ledger = await control.ReadLedgerAsync(CancellationToken.None);
            await DurableFile.WriteAsync(
                folder.LedgerFile, StoredItem.Write(_item, ledger, ScaleOutJson.Indented), CancellationToken.None);
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
        {
            _error = $"it could not be read: {OneLine.From(e.Message)}";
        }
    }

    /// <summary>What the account measured of its own delays in some seconds; null when it has no ledger or does not respond.</summary>
    public async Task<DeliveredDelays?> ReadDelaysAsync(SecondSet seconds)
    {
        if (account.Control is not { } control || account.Gone.IsCompleted)
            return null;
        try
        {
            return await control.ReadDelaysAsync(seconds, CancellationToken.None);
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
        {
            return null;
        }
    }

    /// <summary>Why a run's own simulated account left no ledger; null if there is one or nothing is to be kept.</summary>
    public string? WhyMissing => !account.Connection.Simulated || File.Exists(folder.LedgerFile)
        ? null
        : _error ?? $"{_item} is missing, as the account ended before it was kept, or it was deleted";

    /// <summary>The report held against the kept ledger; null for an account that has none.</summary>
    public async Task<LedgerComparison?> CompareAsync(RunReport report, ContainerTarget target)
    {
        if ((_error ?? WhyMissing) is { } reason)
            return LedgerComparison.Unreadable(reason);
        if (!account.Connection.Simulated)
            return null;
        try
        {
            var ledger = StoredItem.Read<AccountLedger>(_item, await File.ReadAllBytesAsync(folder.LedgerFile), ScaleOutJson.Indented);
            return LedgerComparison.Create(report, ledger, target);
        }
        catch (EvidenceException e)
        {
            return LedgerComparison.Unreadable(e.Message);
        }
    }
}
