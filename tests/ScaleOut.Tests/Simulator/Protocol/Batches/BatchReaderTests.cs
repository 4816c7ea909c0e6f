using System.Text;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Protocol.Batches;

namespace ScaleOut.Tests.Simulator.Protocol.Batches;

public sealed class BatchReaderTests
{
    [Fact]
    public void TryRead_BodyOfTheSdksLibrary_GivesItsOperations()
    {
        byte[] body = BatchBodies.Write(
            [(0, "[\"k\"]", null, "{\"a\":1}"), (2, null, "id-1", null), (4, null, "id-2", null), (5, "[1]", "id-3", new string('x', 1_000)), (20, "[{}]", null, "{}")], ifMatch: "\"e\"", minimal: true);

        List<DocumentOperation> operations = Read(body, out string? fault);

        Assert.Null(fault);
        Assert.Equal(
            [OperationKind.Create, OperationKind.Read, OperationKind.Delete, OperationKind.Replace, OperationKind.Upsert],
            operations.Select(operation => operation.Kind));
        Assert.Equal(["[\"k\"]", "", "", "[1]", "[{}]"], operations.Select(operation => Text(operation.PartitionKeyJson)));
        Assert.Equal(["", "id-1", "id-2", "id-3", ""], operations.Select(operation => Text(operation.Id)));
        Assert.Equal([7, 0, 0, 1_000, 2], operations.Select(operation => operation.Body.Length));
        Assert.All(operations, operation => Assert.Equal(("\"e\"", false), (operation.IfMatch, operation.ReturnsBody)));
    }

    [Fact]
    public void TryRead_MoreThanAHundredOperations_IsAFault()
    {
        byte[] body = BatchBodies.Write([.. Enumerable.Range(0, 101).Select(i => (4, (string?)null, (string?)$"{i}", (string?)null))]);

        Read(body, out string? fault);

        Assert.Contains("100", fault, StringComparison.Ordinal);
    }

    [Fact]
    public void TryRead_Patch_IsAFault()
    {
        Read(BatchBodies.Write([(1, null, "1", "{}")]), out string? fault);

        Assert.NotNull(fault);
    }

    [Fact]
    public void TryRead_EveryPrefix_IsReadOrRefused()
    {
        byte[] body = BatchBodies.Write([(0, "[\"k\"]", null, "{\"a\":1}"), (2, null, "id-1", null)], ifMatch: "e", minimal: true);
        int whole = 0;
        for (int length = 0; length <= body.Length; length++)
        {
            Read(body[..length], out string? fault);
            whole += fault is null ? 1 : 0;
        }

        // The segment alone, the segment with one record, and with both.
        Assert.Equal(3, whole);
    }

    private static List<DocumentOperation> Read(byte[] body, out string? fault)
    {
        var operations = new List<DocumentOperation>();
        BatchReader.TryRead(
            body,
            () =>
            {
                var operation = new DocumentOperation();
                operations.Add(operation);
                return operation;
            },
            out fault);
        return operations;
    }

    private static string Text(ReadOnlyMemory<byte> utf8) => Encoding.UTF8.GetString(utf8.Span);
}
