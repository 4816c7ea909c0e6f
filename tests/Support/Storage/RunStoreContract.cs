namespace ScaleOut.Tests.Support.Storage;

/// <summary>What every run store does.</summary>
public abstract class RunStoreContract
{
    protected static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>An empty store.</summary>
    internal abstract IRunStore Store { get; }

    [Fact]
    public async Task TryCreate_ManyAtOnce_HasOneWinnerWhoseContentStays()
    {
        var wins = await Task.WhenAll(Enumerable.Range(0, 50).Select(i => $"{i}").Select(async content => (Content: content,
            Won: await Task.Run(() => Store.TryCreateAsync("run", "claim", Encoding.UTF8.GetBytes(content), Cancellation)))));
        var winner = Assert.Single(wins, win => win.Won);
        Assert.Equal(winner.Content, Encoding.UTF8.GetString((await Store.ReadAsync("run", "claim", Cancellation))!));
        Assert.Equal(["claim"], await Store.ListAsync("run", "", Cancellation));
    }

    [Fact]
    public async Task Read_WhileItIsWrittenOverAndOver_IsAlwaysWhole()
    {
        var contents = new[] { new string('a', 100_000), new string('b', 50) }.Select(Encoding.UTF8.GetBytes).ToArray();
        await Store.WriteAsync("run", "item", contents[0], Cancellation);

        var writing = Task.Run(async () =>
        {
            for (var i = 0; i < 100; i++)
                await Store.WriteAsync("run", "item", contents[i % 2], Cancellation);
        }, Cancellation);
        while (!writing.IsCompleted)
        {
            var read = await Store.ReadAsync("run", "item", Cancellation);
            Assert.Contains(contents, content => content.AsSpan().SequenceEqual(read));
        }

        await writing;
    }

    [Fact]
    public async Task List_WithPrefix_GivesNamesInOrderFromAllFoldersBelow()
    {
        string[] names =
            ["legs/0001/000002/result.json", "legs/0000/000001/result.json", "ready/0000", "legs/0001/000001/attempt-001.json"];
        foreach (var name in names)
            await Store.WriteAsync("run", name, ReadOnlyMemory<byte>.Empty, Cancellation);
        await Store.WriteAsync("run-2", "legs/0000/000009/result.json", ReadOnlyMemory<byte>.Empty, Cancellation);

        Assert.Equal(
            ["legs/0000/000001/result.json", "legs/0001/000001/attempt-001.json", "legs/0001/000002/result.json"],
            await Store.ListAsync("run", "legs/", Cancellation));
        Assert.Equal(["ready/0000"], await Store.ListAsync("run", "ready/00", Cancellation));
        Assert.Empty(await Store.ListAsync("other", "legs/", Cancellation));
    }

    [Fact]
    public async Task Read_NothingThere_IsNull()
    {
        Assert.Null(await Store.ReadAsync("run", "nothing/here", Cancellation));
        await Store.WriteAsync("run", "item", "x"u8.ToArray(), Cancellation);
        Assert.Null(await Store.ReadAsync("run", "nothing/here", Cancellation));
    }

    [Fact]
    public async Task Delete_SomeItems_LeavesTheOthersAndThoseOfOtherRuns()
    {
        await Store.DeleteAsync("run", _ => true, Cancellation);
        foreach (var name in new[] { "legs/0000/000001/result.json", "ready/0000", "spec.json", "stop" })
            await Store.WriteAsync("run", name, "x"u8.ToArray(), Cancellation);
        await Store.WriteAsync("run-2", "stop", ReadOnlyMemory<byte>.Empty, Cancellation);

        await Store.DeleteAsync("run", name => name != "spec.json", Cancellation);
        await Store.DeleteAsync("run", name => name == "stop", Cancellation);

        Assert.Equal(["spec.json"], await Store.ListAsync("run", "", Cancellation));
        Assert.Equal(["stop"], await Store.ListAsync("run-2", "", Cancellation));
        Assert.True(await Store.TryCreateAsync("run", "stop", "y"u8.ToArray(), Cancellation));
    }

    [Fact]
    public async Task Write_EmptyContent_IsThereAndEmpty()
    {
        await Store.WriteAsync("run", "ready/0000", ReadOnlyMemory<byte>.Empty, Cancellation);
        Assert.Empty((await Store.ReadAsync("run", "ready/0000", Cancellation))!);
    }
}
