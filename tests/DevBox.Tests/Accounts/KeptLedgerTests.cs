namespace ScaleOut.Tests.DevBox.Accounts;

/// <summary>A ledger that an earlier process kept. Its account has ended.</summary>
public sealed class KeptLedgerTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("untouched", "it knows no container scaleout/run-sample")]
    [InlineData("cut short", "sample/ledger.json is damaged: it is no valid JSON, as when a file was cut short")]
    [InlineData("one figure changed", "sample/ledger.json is damaged: its content does not have the checksum")]
    [InlineData("deleted", "^sample/ledger.json is missing, as the account ended before it was kept")]
    public async Task Compare_Ledger_IsReadOrItsDamageIsNamed(string state, string difference)
    {
        byte[]? Change(byte[] ledger)
        {
            if (state == "one figure changed")
                ledger[Array.LastIndexOf(ledger, (byte)'0')] = (byte)'1';
            return state switch { "deleted" => null, "cut short" => ledger[..60], _ => ledger };
        }

        Assert.Matches(difference, await CompareAsync(Change));
    }

    private async Task<string> CompareAsync(Func<byte[], byte[]?> change)
    {
        var folder = new RunFolder(_folder.Path, "sample");
        Directory.CreateDirectory(folder.FullPath);
        var nothing = default(Counts);
        var ledger = StoredItem.Write("sample/ledger.json", new AccountLedger
        {
            StartedAt = DateTimeOffset.UnixEpoch,
            AsOf = DateTimeOffset.UnixEpoch,
            WireRequests = 0,
            RejectedRequests = 0,
            Documents = new DocumentLedger { Created = 0, UpsertedNew = 0, Replaced = 0, Deleted = 0 },
            Operations = new OperationLedger
            {
                Create = nothing, Upsert = nothing, Replace = nothing, Read = nothing, Delete = nothing, Batch = nothing, Query = nothing,
            },
            SecondsKept = 1,
            Containers = [],
        });
        if (change(ledger) is { } content)
            await File.WriteAllBytesAsync(folder.LedgerFile, content, TestContext.Current.CancellationToken);
        var connection = new AccountConnection { Endpoint = new Uri("https://localhost/"), Simulated = true };
        await using var account = new RunAccount(connection, process: null, new AccountFolder(folder.FullPath));

        var comparison = await new KeptLedger(folder, account).CompareAsync(LedgerComparisonTests.Report, LedgerComparisonTests.Target);

        Assert.NotNull(comparison);
        return Assert.Single(comparison.Differences);
    }
}
