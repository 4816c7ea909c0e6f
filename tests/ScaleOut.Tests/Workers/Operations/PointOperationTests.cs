using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class PointOperationTests(OperationAccount account) : IClassFixture<OperationAccount>
{
    private readonly OperationContext _context = account.Context;

    [Fact]
    public async Task TryAsync_CreateOfADocument_SucceedsOnceAndIsThereThen()
    {
        using var create = new PointOperation(_context, upsert: false);
        var created = await OperationAccount.TryAsync(create, 1);
        var again = await create.TryAsync();

        Assert.Equal((AttemptKind.Succeeded, 201, 0), (created.Kind, created.Status, created.SubStatus));
        Assert.Equal((AttemptKind.AlreadyThere, 409, null), (again.Kind, again.Status, again.Reason));
        Assert.True(created.RequestUnits > again.RequestUnits && again.RequestUnits > 0, "Each is charged, the conflict less.");

        var written = new byte[_context.Documents.MaxBytes];
        var length = _context.Documents.Write(1, _context.Documents.KeyOf(1), written);
        Assert.Equal((length, _context.Partitions.IndexOf(_context.Documents.KeyOf(1))), (create.PartBytes, create.Partition));
        var stored = (await account.ReadAsync(1))!;
        Assert.All(
            JsonNode.Parse(written.AsSpan(0, length))!.AsObject(),
            field => Assert.Equal(field.Value!.ToJsonString(), stored[field.Key]!.ToJsonString()));
    }

    [Fact]
    public async Task TryAsync_Upsert_CreatesOrReplaces()
    {
        using var upsert = new PointOperation(_context, upsert: true);

        Assert.Equal((AttemptKind.Succeeded, 201), Outcome(await OperationAccount.TryAsync(upsert, 10)));
        Assert.Equal((AttemptKind.AlreadyThere, 200), Outcome(await upsert.TryAsync()));
    }

    [Fact]
    public async Task TryAsync_ReadPatchAndDelete_WorkOnADocumentThatIsThere()
    {
        await account.CreateAsync(20, 1);
        using var read = new ReadOperation(_context);
        using var patch = new PatchDocumentOperation(_context);
        using var delete = new DeleteOperation(_context);

        Assert.Equal((AttemptKind.Succeeded, 200), Outcome(await OperationAccount.TryAsync(read, 20)));
        Assert.Equal((AttemptKind.Succeeded, 200), Outcome(await OperationAccount.TryAsync(patch, 20)));
        Assert.True((bool)(await account.ReadAsync(20))![WorkloadSpec.PatchedPath[1..]]!);
        Assert.Equal((AttemptKind.Succeeded, 204), Outcome(await OperationAccount.TryAsync(delete, 20)));
        Assert.Null(await account.ReadAsync(20));

        Assert.Equal((AttemptKind.Failed, 404), Outcome(await OperationAccount.TryAsync(read, 20)));
        Assert.Equal((AttemptKind.Failed, 404), Outcome(await OperationAccount.TryAsync(patch, 20)));
        Assert.Equal((AttemptKind.AlreadyThere, 404), Outcome(await OperationAccount.TryAsync(delete, 20)));
        Assert.Equal(_context.Partitions.IndexOf(_context.Documents.KeyOf(20)), delete.Partition);
    }

    [Fact]
    public async Task TryAsync_ContainerIsGone_RejectsTheClient()
    {
        var gone = _context with { Container = account.Container.Database.GetContainer("gone") };
        using var create = new PointOperation(gone, upsert: false);
        using var read = new ReadOperation(gone);

        Assert.Equal(AttemptKind.Rejected, (await OperationAccount.TryAsync(create, 30)).Kind);
        Assert.Equal(AttemptKind.Rejected, (await OperationAccount.TryAsync(read, 30)).Kind);
    }

    [Fact]
    public void ExistingOf_ChosenOrBatchedDocument_HasItsIdAndKey()
    {
        var documents = _context.Documents;
        var chosen = _context with { DocumentOf = number => number + 1_000 };
        var batched = _context with { WrittenInBatchesOf = 10 };

        Assert.Equal((documents.IdOf(1_040), new PartitionKey(documents.KeyOf(1_040))), Address(chosen, 40));
        Assert.Equal((documents.IdOf(47), new PartitionKey(documents.KeyOfBatch(4))), Address(batched, 47));
        Assert.Equal(_context.Partitions.IndexOf(documents.KeyOfBatch(4)), batched.ExistingOf(47).Partition);

        static (string, PartitionKey) Address(OperationContext context, long number) =>
            (context.ExistingOf(number).Id, context.ExistingOf(number).Key);
    }

    [Fact]
    public void KeyFrom_OneOrSeveralValues_IsTheSdksKey()
    {
        Assert.Equal(new PartitionKey("a"), OperationContext.KeyFrom(["a"]));
        Assert.Equal(new PartitionKeyBuilder().Add("a").Add("b").Build(), OperationContext.KeyFrom(["a", "b"]));
    }

    [Fact]
    public async Task MixedOperation_AnyDocument_DoesWhatTheMixSays()
    {
        var mix = new MixSpec { Insert = 1, Read = 1 };
        var disposed = new List<WorkloadKind>();
        var mixed = new MixedOperation(mix, kind => new Noted(
            kind == WorkloadKind.Read ? new ReadOperation(_context) : new PointOperation(_context, upsert: false),
            () => disposed.Add(kind)));

        for (var number = 50L; number < 54; number++)
        {
            var isRead = MixPattern.For(mix).KindOf(number) == WorkloadKind.Read;
            if (isRead)
                await account.CreateAsync(number, 1);
            var response = await OperationAccount.TryAsync(mixed, number);

            Assert.Equal(isRead ? WorkloadKind.Read : WorkloadKind.Insert, mixed.Kind);
            Assert.Equal((AttemptKind.Succeeded, isRead ? 200 : 201), Outcome(response));
            Assert.Equal((isRead, _context.Partitions.IndexOf(_context.Documents.KeyOf(number))), (mixed.PartBytes == 0, mixed.Partition));
            Assert.Equal((7, true), (mixed.PartDocuments, mixed.NextPart()));
        }

        mixed.Dispose();
        Assert.Equal([WorkloadKind.Insert, WorkloadKind.Read], disposed.Order());
    }

    [Fact]
    public void Abandon_Buffer_KeepsTheDocumentsInANewOne()
    {
        using var buffer = new AttemptBuffer(4);
        var before = buffer.Bytes;
        "abcd"u8.CopyTo(before);

        buffer.Abandon(used: 3);

        Assert.NotSame(before, buffer.Bytes);
        Assert.Equal("abc"u8, buffer.Bytes.AsSpan(0, 3));
        Assert.Equal("abcd"u8, before.AsSpan(0, 4));
        buffer.Dispose();
        Assert.Empty(buffer.Bytes);
    }

    private static (AttemptKind, int) Outcome(AttemptResponse response) => (response.Kind, response.Status);

    /// <summary>An operation that has further parts of seven documents.</summary>
    private sealed class Noted(IWorkloadOperation operation, Action whenDisposed) : IWorkloadOperation
    {
        public int Partition => operation.Partition;

        public int? PartDocuments => 7;

        public int PartBytes => operation.PartBytes;

        public bool NextPart() => true;

        public void Prepare(long first, int count) => operation.Prepare(first, count);

        public Task<AttemptResponse> TryAsync() => operation.TryAsync();

        public void Dispose()
        {
            operation.Dispose();
            whenDisposed();
        }
    }
}
