namespace ScaleOut.Tests.DevBox.Accounts;

/// <summary>A ledger that was kept by an earlier process, whose account has ended.</summary>
public sealed class KeptLedgerTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Compare_Untouched_IsRead() =>
        Assert.Contains("it knows no container scaleout/run-sample", await CompareAsync(ledger => ledger), StringComparison.Ordinal);

    [Fact]
    public async Task Compare_CutShort_IsNamed() => Assert.Contains(
        "sample/ledger.json is damaged: it is no valid JSON, as when a file was cut short",
        await CompareAsync(ledger => ledger[..60]),
        StringComparison.Ordinal);

    [Fact]
    public async Task Compare_OneFigureChanged_IsNamed() => Assert.Contains(
        "sample/ledger.json is damaged: its content does not have the checksum",
        await CompareAsync(ledger =>
        {
            ledger[Array.LastIndexOf(ledger, (byte)'0')] = (byte)'1';
            return ledger;
        }),
        StringComparison.Ordinal);

    [Fact]
    public async Task Compare_Deleted_IsNamed() => Assert.StartsWith(
        "sample/ledger.json is missing, as the account ended before it was kept",
        await CompareAsync(ledger => null),
        StringComparison.Ordinal);

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
        var report = new RunSample { Seconds = 20, Spec = new() { Id = "sample", Documents = 4_000 } }.Build();

        var comparison = await new KeptLedger(folder, account).CompareAsync(
            report, new ContainerTarget("scaleout", "run-sample", "/PartitionKey"));

        Assert.NotNull(comparison);
        return Assert.Single(comparison.Differences);
    }
}
