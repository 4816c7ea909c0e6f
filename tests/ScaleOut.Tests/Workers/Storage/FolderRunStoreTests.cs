using ScaleOut.Storage;
using ScaleOut.Tests.Shared.Storage;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Workers.Storage;

public sealed class FolderRunStoreTests : RunStoreContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly FolderRunStore _store;

    public FolderRunStoreTests() => _store = new FolderRunStore(_folder.Path);

    internal override IRunStore Store => _store;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task TryCreate_ManyAtOnce_LeavesNoOtherFile()
    {
        await Task.WhenAll(
            Enumerable.Range(0, 50).Select(_ => Task.Run(() => _store.TryCreateAsync("run", "claim", "x"u8.ToArray(), Cancellation))));

        Assert.Single(Directory.EnumerateFiles(_store.FolderOf("run")));
    }
}
