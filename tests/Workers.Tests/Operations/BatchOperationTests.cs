using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class BatchOperationTests(OperationAccount account) : IClassFixture<OperationAccount>
{
    private const int Size = 10;

    private readonly IDocumentSource _documents = account.Context.Documents;

    [Fact]
    public async Task TryAsync_NewDocuments_WritesAllUnderOneKey()
    {
        using var batch = new BatchOperation(account.Context, Size);
        batch.Prepare(400, Size);
        var response = await batch.TryAsync();
        var again = await batch.TryAsync();

        Assert.Equal((AttemptKind.Succeeded, 200, 0), (response.Kind, response.Status, response.SubStatus));
        Assert.Equal((AttemptKind.AlreadyThere, 409, null), (again.Kind, again.Status, again.Reason));
        Assert.True(again.RequestUnits.Parts > 0, "The conflict is charged.");
        Assert.True(response.RequestUnits.Parts > again.RequestUnits.Parts, "The conflict is charged less.");
        Assert.Equal((Size, account.Context.Partitions.IndexOf(_documents.KeyOfBatch(40))), (batch.PartDocuments!.Value, batch.Partition));
        var buffer = new byte[_documents.MaxBytes];
        Assert.Equal(
            Enumerable.Range(400, Size).Sum(number => _documents.Write(number, _documents.KeyOfBatch(40), buffer)), batch.PartBytes);
        for (var number = 400; number < 400 + Size; number++)
            Assert.Equal(number, (int)(await account.ReadAsync(number, Size))!["KeyNumber"]!);
        Assert.False(batch.NextPart());
    }

    /// <summary>
    /// A batch whose first document is there was written by a leg that was lost, because batches are atomic. Any other document that is
    /// there is somebody else's.
    /// </summary>
    [Theory]
    [InlineData(410, 410, AttemptKind.AlreadyThere)]
    [InlineData(420, 424, AttemptKind.Failed)]
    public async Task TryAsync_DocumentOfTheBatchIsThere_IsTheRunsOwnOnlyIfItIsTheFirst(long first, long present, AttemptKind kind)
    {
        var (key, json) = (_documents.KeyOfBatch(first / Size), new byte[_documents.MaxBytes]);
        using var stream = new MemoryStream(json, 0, _documents.Write(present, key, json));
        using var created = await account.Container.CreateItemStreamAsync(
            stream, new PartitionKey(key), cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        using var batch = new BatchOperation(account.Context, Size);

        batch.Prepare(first, Size);
        var response = await batch.TryAsync();

        Assert.Equal((kind, 409), (response.Kind, response.Status));
        Assert.Null(await account.ReadAsync(first + 1, Size));
    }

    [Fact]
    public async Task TryAsync_ContainerIsGone_RejectsTheClient()
    {
        using var batch = new BatchOperation(account.Context with { Container = account.Container.Database.GetContainer("gone") }, Size);
        batch.Prepare(430, Size);

        var response = await batch.TryAsync();

        Assert.Equal((AttemptKind.Rejected, 404), (response.Kind, response.Status));
        Assert.False(string.IsNullOrEmpty(response.Reason), "The reason is missing.");
    }

    [Fact]
    public void NextPart_DocumentsOfSeveralKeys_HasThoseOfOneKeyAndTheirBytes()
    {
        using var batch = new BatchedDocuments(new LengthByNumber("aabccc"), PartitionRanges.Unknown, batchSize: 6);
        batch.Prepare(12, 6);
        List<(string Key, int Bytes, string Ids)> parts = [];
        do
        {
            var documents = Enumerable.Range(0, batch.Count).ToList();
            Assert.Equal(batch.Bytes, documents.Sum(i => batch[i].Count));
            Assert.All(documents, i => Assert.All(batch[i], one => Assert.Equal(batch.IdOf(i), $"{one}")));
            parts.Add((batch.KeyValues.Single(), batch.Bytes, string.Join(" ", documents.Select(batch.IdOf))));
        }
        while (batch.NextPart());

        Assert.Equal([("a", 12 + 13, "12 13"), ("b", 14, "14"), ("c", 15 + 16 + 17, "15 16 17")], parts);
    }

    /// <summary>Document n is n times the byte n. Its key is a letter of the text.</summary>
    private sealed class LengthByNumber(string keys) : IDocumentSource
    {
        public int MaxBytes => 100;

        public bool MixesKeysInBatch => true;

        public string IdOf(long number) => $"{number}";

        public string KeyOf(long number) => $"{keys[(int)(number % keys.Length)]}";

        public IReadOnlyList<string> KeyValuesOf(long number, string key) => [KeyOf(number)];

        public string KeyOfBatch(long batch) => throw new NotSupportedException();

        public int Write(long number, string key, Span<byte> buffer)
        {
            buffer[..(int)number].Fill((byte)number);
            return (int)number;
        }
    }
}
