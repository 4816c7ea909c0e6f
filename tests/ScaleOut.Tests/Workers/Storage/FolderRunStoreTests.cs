using System.Text;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Workers.Storage;

public sealed class FolderRunStoreTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly FolderRunStore _store;

    public FolderRunStoreTests() => _store = new FolderRunStore(_folder.Path);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task TryCreate_ManyAtOnce_HasOneWinnerWhoseContentStays()
    {
        var wins = await Task.WhenAll(Enumerable.Range(0, 50).Select(async i =>
            (Won: await Task.Run(() => _store.TryCreateAsync("run", "claim", Encoding.UTF8.GetBytes($"{i}"), Cancellation)), Content: $"{i}")));

        var winner = Assert.Single(wins, win => win.Won);
        Assert.Equal(winner.Content, Encoding.UTF8.GetString((await _store.ReadAsync("run", "claim", Cancellation))!));
        Assert.Single(Directory.EnumerateFiles(_store.FolderOf("run")));
    }

    [Fact]
    public async Task Read_WhileItIsWrittenOverAndOver_IsAlwaysWhole()
    {
        var contents = new[] { new string('a', 100_000), new string('b', 50) }.Select(Encoding.UTF8.GetBytes).ToArray();
        await _store.WriteAsync("run", "item", contents[0], Cancellation);

        var writing = Task.Run(
            async () =>
            {
                for (var i = 0; i < 200; i++)
                    await _store.WriteAsync("run", "item", contents[i % 2], Cancellation);
            },
            Cancellation);
        while (!writing.IsCompleted)
        {
            var read = await _store.ReadAsync("run", "item", Cancellation);
            Assert.Contains(contents, content => content.AsSpan().SequenceEqual(read));
        }

        await writing;
    }

    [Fact]
    public async Task List_WithPrefix_GivesNamesInOrderFromAllFoldersBelow()
    {
        foreach (var name in new[] { "legs/0001/000002/result.json", "legs/0000/000001/result.json", "ready/0000", "legs/0001/000001/attempt-001.json" })
            await _store.WriteAsync("run", name, ReadOnlyMemory<byte>.Empty, Cancellation);

        Assert.Equal(
            ["legs/0000/000001/result.json", "legs/0001/000001/attempt-001.json", "legs/0001/000002/result.json"],
            await _store.ListAsync("run", "legs/", Cancellation));
        Assert.Equal(["ready/0000"], await _store.ListAsync("run", "ready/00", Cancellation));
        Assert.Empty(await _store.ListAsync("other", "legs/", Cancellation));
    }

    [Fact]
    public async Task Read_NothingThere_IsNull() => Assert.Null(await _store.ReadAsync("run", "nothing/here", Cancellation));
}
