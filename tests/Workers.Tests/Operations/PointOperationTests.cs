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
        Assert.True(again.RequestUnits.Parts > 0, "The conflict is charged.");
        Assert.True(created.RequestUnits.Parts > again.RequestUnits.Parts, "The conflict is charged less.");

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
        Assert.False(((IWorkloadOperation)delete).NextPart());
    }

    /// <summary>After an exception the SDK may still send the document, so that the next one must not overwrite it.</summary>
    [Fact]
    public async Task Prepare_AfterABrokenAttempt_LeavesTheDocumentThatWasSent()
    {
        var handler = new BreaksOnce();
        var settings = new ClientSettings { ConnectionMode = ScaleOut.Specs.ConnectionMode.Gateway, Concurrency = 1 };
        using var client = CosmosClientFactory.Create(account.Account.Connection(), settings, bulk: false, handler);
        var container = client.GetContainer(account.Container.Database.Id, account.Container.Id);
        using var create = new PointOperation(_context with { Container = container }, upsert: false);

        var broken = await OperationAccount.TryAsync(create, 40);
        var next = await OperationAccount.TryAsync(create, 41);

        Assert.Equal((AttemptKind.RetryUncertain, AttemptKind.Succeeded), (broken.Kind, next.Kind));
        handler.Sent!.Position = 0;
        var sent = (await JsonNode.ParseAsync(handler.Sent, cancellationToken: TestContext.Current.CancellationToken))!;
        Assert.Equal(_context.Documents.IdOf(40), (string?)sent["id"]);
        Assert.Equal(41, (int)(await account.ReadAsync(41))!["KeyNumber"]!);
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

    /// <summary>Breaks the first write, and keeps its content.</summary>
    private sealed class BreaksOnce : RequestHandler
    {
        public Stream? Sent { get; private set; }

        public override Task<ResponseMessage> SendAsync(RequestMessage request, CancellationToken cancellationToken)
        {
            if (Sent is not null || request.Content is null)
                return base.SendAsync(request, cancellationToken);
            Sent = request.Content;
            throw new HttpRequestException("broken");
        }
    }

    private static (AttemptKind, int) Outcome(AttemptResponse response) => (response.Kind, response.Status);
}
