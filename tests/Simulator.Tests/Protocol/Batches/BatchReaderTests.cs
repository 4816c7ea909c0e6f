using System.IO.Hashing;
using Microsoft.Azure.Cosmos.Serialization.HybridRow;
using Microsoft.Azure.Cosmos.Serialization.HybridRow.IO;
using Microsoft.Azure.Cosmos.Serialization.HybridRow.Layouts;
using Microsoft.Azure.Cosmos.Serialization.HybridRow.RecordIO;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Protocol.Batches;

namespace ScaleOut.Tests.Simulator.Protocol.Batches;

public sealed class BatchReaderTests
{
    [Fact]
    public void Read_BodyOfTheSdksLibrary_GivesItsOperations()
    {
        var body = BatchBodies.Write(
            [
                (0, "[\"k\"]", null, "{\"a\":1}"), (2, null, "id-1", null), (4, null, "id-2", null),
                (5, "[1]", "id-3", new string('x', 1_000)), (20, "[{}]", null, "{}"),
            ],
            ifMatch: "\"e\"", minimal: true);

        var operations = Read(body, out var error);

        Assert.Null(error);
        Assert.Equal(
            [OperationKind.Create, OperationKind.Read, OperationKind.Delete, OperationKind.Replace, OperationKind.Upsert],
            operations.Select(operation => operation.Kind));
        Assert.Equal(["[\"k\"]", "", "", "[1]", "[{}]"], operations.Select(operation => Text(operation.PartitionKeyJson)));
        Assert.Equal(["", "id-1", "id-2", "id-3", ""], operations.Select(operation => Text(operation.Id)));
        Assert.Equal([7, 0, 0, 1_000, 2], operations.Select(operation => operation.Body.Length));
        Assert.All(operations, operation => Assert.Equal(("\"e\"", false), (operation.IfMatch, operation.ReturnsBody)));
    }

    [Fact]
    public void Read_MoreThanAHundredOperations_IsAnError()
    {
        var body = BatchBodies.Write([.. Enumerable.Range(0, 101).Select(i => (4, (string?)null, (string?)$"{i}", (string?)null))]);
        Read(body, out var error);
        Assert.Equal(BatchReader.TooManyOperations, error);
    }

    [Fact]
    public void Read_UnknownOperation_IsAnError()
    {
        Read(BatchBodies.Write([(9, null, "1", "{}")]), out var error);
        Assert.NotNull(error);
    }

    [Fact]
    public void Read_EveryPrefix_IsReadOrRejected()
    {
        var body = BatchBodies.Write([(0, "[\"k\"]", null, "{\"a\":1}"), (2, null, "id-1", null)], ifMatch: "e", minimal: true);
        var whole = 0;
        for (var length = 0; length <= body.Length; length++)
        {
            Read(body[..length], out var error);
            whole += error is null ? 1 : 0;
        }

        // The segment alone, the segment with one record, and with both.
        Assert.Equal(3, whole);
    }

    private static DocumentOperation[] Read(byte[] body, out string? error)
    {
        var batch = new BulkWork();
        error = BatchReader.Read(body, batch);
        return batch.Operations.ToArray();
    }

    private static string Text(ReadOnlyMemory<byte> utf8) => Encoding.UTF8.GetString(utf8.Span);
}
