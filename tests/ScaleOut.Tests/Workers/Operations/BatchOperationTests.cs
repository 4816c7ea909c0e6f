using Microsoft.Azure.Cosmos;
using ScaleOut.Tests.Workers.Legs;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class BatchOperationTests : LegsOnAccount
{
    /// <summary>
    /// A batch whose first document is there was written by a leg that was lost, because batches are atomic. Any other document that is
    /// there is somebody else's.
    /// </summary>
    [Theory]
    [InlineData(10, 10, 0)]
    [InlineData(14, 0, 10)]
    public async Task TryAsync_DocumentOfTheBatchIsThere_IsTheRunsOwnOnlyIfItIsTheFirst(long present, long alreadyPresent, long failed)
    {
        await using var account = await StartAsync();
        await CreateContainerAsync(account);
        var leg = Leg(30, new WorkloadSpec { Kind = WorkloadKind.Batch, BatchSize = 10 });
        var documents = DocumentSources.For(leg.Assignment);
        var (key, json) = (documents.KeyOfBatch(1), new byte[documents.MaxBytes]);
        using var stream = new MemoryStream(json, 0, documents.Write(present, key, json));
        using var client = CosmosClientFactory.CreateControl(account.Connection());
        using var created = await client.GetContainer(Target.Database, Target.Name)
            .CreateItemStreamAsync(stream, new PartitionKey(key), cancellationToken: Cancellation);
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);

        var output = await RunAsync(account, leg);

        Assert.Equal((LegEnd.SliceDone, 20, alreadyPresent, failed), output.Ended());
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

        public string KeyOfBatch(long batch) => throw new NotSupportedException();

        public int Write(long number, string key, Span<byte> buffer)
        {
            buffer[..(int)number].Fill((byte)number);
            return (int)number;
        }
    }
}
