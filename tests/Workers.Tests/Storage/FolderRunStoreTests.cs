namespace ScaleOut.Tests.Workers.Storage;

public sealed class FolderRunStoreTests : RunStoreContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly FolderRunStore _store;

    public FolderRunStoreTests() => _store = _folder.StoreWith("run", "run-2");

    internal override IRunStore Store => _store;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task TryCreate_ManyAtOnce_LeavesNoOtherFile()
    {
        await Task.WhenAll(
            Enumerable.Range(0, 50).Select(_ => Task.Run(() => _store.TryCreateAsync("run", "claim", "x"u8.ToArray(), Cancellation))));
        Assert.Single(Directory.EnumerateFiles(_store.FolderOf("run")));
    }

    [Fact]
    public async Task Write_FolderWasMovedMeanwhile_IsRejectedAndOnlyAClaimMakesTheFolder()
    {
        await _store.WriteAsync("run", "ready/0000", "x"u8.ToArray(), Cancellation);
        Directory.Move(_store.FolderOf("run"), _store.FolderOf("moved"));

        await Assert.ThrowsAsync<DirectoryNotFoundException>(
            () => _store.WriteAsync("run", "report.json", "x"u8.ToArray(), Cancellation));
        var error = await Assert.ThrowsAsync<DirectoryNotFoundException>(
            () => _store.TryCreateAsync("run", "legs/0000/000001/result.json", "x"u8.ToArray(), Cancellation));
        Assert.Contains($"'{_store.FolderOf("run")}' was deleted or moved", error.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_store.FolderOf("run")));

        foreach (var claim in (string[])["spec.json", "experiment.json"])
            Assert.True(await _store.TryCreateAsync($"of-{claim}", claim, "y"u8.ToArray(), Cancellation));
    }

    [Fact]
    public async Task Read_FileThatIsFarTooLarge_NamesIt()
    {
        await _store.WriteAsync("run", "legs/0000/result.json", "x"u8.ToArray(), Cancellation);
        await using (var file = File.OpenWrite(Path.Combine(_store.FolderOf("run"), "legs", "0000", "result.json")))
            file.SetLength(3L << 30);

        var error = await Assert.ThrowsAsync<EvidenceException>(() => _store.ReadAsync("run", "legs/0000/result.json", Cancellation));

        Assert.Equal(("run/legs/0000/result.json", "it is larger than 1 GiB"), (error.Item, error.Reason));
    }
}
