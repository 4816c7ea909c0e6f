namespace ScaleOut.Tests.Workers.Operations;

public sealed class ReplaceOperationTests(OperationAccount account) : IClassFixture<OperationAccount>
{
    [Theory]
    [InlineData(100, true)]
    [InlineData(101, false)]
    public async Task TryAsync_Document_IsReadAndThenReplaced(long number, bool matchesEtag)
    {
        await account.CreateAsync(number, 1);
        var before = (await account.ReadAsync(number))!;
        using var replace = new ReplaceOperation(account.Context, matchesEtag);

        var read = await OperationAccount.TryAsync(replace, number);
        Assert.Equal((AttemptKind.Continued, 200), (read.Kind, read.Status));
        Assert.Equal(account.Context.Partitions.IndexOf(account.Context.Documents.KeyOf(number)), replace.Partition);
        var replaced = await replace.TryAsync();
        Assert.Equal((AttemptKind.Succeeded, 200), (replaced.Kind, replaced.Status));

        var after = (await account.ReadAsync(number))!;
        Assert.True((bool)after["replaced"]!);
        Assert.NotEqual((string?)before["_etag"], (string?)after["_etag"]);
        Assert.Equal([.. Own(before), "replaced: true"], Own(after));
        // What the run made, and the new property.
        var buffer = new byte[account.Context.Documents.MaxBytes];
        var length = account.Context.Documents.Write(number, account.Context.Documents.KeyOf(number), buffer);
        Assert.Equal(length + ",\"replaced\":true".Length, replace.PartBytes);
    }

    [Fact]
    public async Task TryAsync_SomebodyChangedTheDocument_IsReadAgainOnlyIfTheEtagMustMatch()
    {
        await account.CreateAsync(110, 2);
        using var patch = new PatchDocumentOperation(account.Context);
        using var matching = new ReplaceOperation(account.Context, matchesEtag: true);
        using var any = new ReplaceOperation(account.Context, matchesEtag: false);

        await OperationAccount.TryAsync(matching, 110);
        await OperationAccount.TryAsync(any, 111);
        await OperationAccount.TryAsync(patch, 110);
        await OperationAccount.TryAsync(patch, 111);

        Assert.Equal(AttemptKind.Succeeded, (await any.TryAsync()).Kind);
        var refused = await matching.TryAsync();
        Assert.Equal((AttemptKind.Retry, 412, 0), (refused.Kind, refused.Status, matching.PartBytes));
        Assert.Equal(AttemptKind.Continued, (await matching.TryAsync()).Kind);
        Assert.Equal(AttemptKind.Succeeded, (await matching.TryAsync()).Kind);
        // What somebody else changed is kept when the document was read again, and is lost without the ETag.
        Assert.NotNull((await account.ReadAsync(110))!["patched"]);
        Assert.Null((await account.ReadAsync(111))!["patched"]);
    }

    [Fact]
    public async Task TryAsync_DocumentIsNotThere_Fails()
    {
        await account.CreateAsync(120, 1);
        using var replace = new ReplaceOperation(account.Context, matchesEtag: false);
        using var delete = new DeleteOperation(account.Context);

        Assert.Equal(AttemptKind.Failed, (await OperationAccount.TryAsync(replace, 121)).Kind);
        Assert.Equal(AttemptKind.Continued, (await OperationAccount.TryAsync(replace, 120)).Kind);
        await OperationAccount.TryAsync(delete, 120);
        var failed = await replace.TryAsync();
        Assert.Equal((AttemptKind.Failed, 404), (failed.Kind, failed.Status));
        // Preparing another document forgets the one that was read.
        replace.Prepare(122, 1);
        Assert.Equal(0, replace.PartBytes);
    }

    /// <summary>The properties without those of the service.</summary>
    private static IEnumerable<string> Own(JsonObject document) =>
        document.Where(field => !field.Key.StartsWith('_')).Select(field => $"{field.Key}: {field.Value!.ToJsonString()}");
}
