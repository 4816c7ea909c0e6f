using System.IO.Hashing;
using Microsoft.Azure.Cosmos.Serialization.HybridRow;
using Microsoft.Azure.Cosmos.Serialization.HybridRow.IO;
using Microsoft.Azure.Cosmos.Serialization.HybridRow.Layouts;
using Microsoft.Azure.Cosmos.Serialization.HybridRow.RecordIO;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Protocol.Batches;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>Writes batch bodies with the SDK's own HybridRow library.</summary>
internal static class BatchBodies
{
    private static readonly Type Schemas = typeof(Microsoft.Azure.Cosmos.CosmosClient).Assembly.GetType(
        "Microsoft.Azure.Cosmos.BatchSchemaProvider", throwOnError: true)!;

    public static LayoutResolver Resolver { get; } = Property<LayoutResolver>("BatchLayoutResolver");

    private static Layout Operation { get; } = Property<Layout>("BatchOperationLayout");

    public static byte[] Write(
        IReadOnlyList<(int Type, string? PartitionKey, string? Id, string? Body)> operations, string? ifMatch = null, bool minimal = false)
    {
        using var stream = new MemoryStream();
        stream.WriteRecordIOAsync(default(Segment), (long index, out ReadOnlyMemory<byte> buffer) =>
        {
            buffer = default;
            if (index >= operations.Count)
                return Result.Success;
            var resizer = new MemorySpanResizer<byte>(4_096);
            var row = new RowBuffer(4_096, resizer);
            row.InitLayout(HybridRowVersion.V1, Operation, Resolver);
            var result = RowWriter.WriteBuffer(
                ref row, operations[(int)index],
                (ref RowWriter writer, TypeArgument _, (int Type, string? PartitionKey, string? Id, string? Body) operation) =>
                {
                    writer.WriteInt32("operationType", operation.Type);
                    writer.WriteInt32("resourceType", 2);
                    if (operation.PartitionKey is not null)
                        writer.WriteString("partitionKey", operation.PartitionKey);
                    if (operation.Id is not null)
                        writer.WriteString("id", operation.Id);
                    if (operation.Body is not null)
                        writer.WriteBinary("resourceBody", Encoding.UTF8.GetBytes(operation.Body));
                    writer.WriteInt32("timeToLiveInSeconds", 5);
                    if (ifMatch is not null)
                        writer.WriteString("ifMatch", ifMatch);
                    return minimal ? writer.WriteBool("minimalReturnPreference", true) : Result.Success;
                });
            buffer = resizer.Memory[..row.Length];
            return result;
        }).GetAwaiter().GetResult();
        return stream.ToArray();
    }

    /// <summary>Corrects the checksums of changed records, so that the reader goes past them.</summary>
    public static void FixChecksums(byte[] body)
    {
        var at = 10;
        while (at + 13 < body.Length)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(body.AsSpan(at + 5));
            if (length <= 0 || length > body.Length - at - 13)
                return;
            BinaryPrimitives.WriteUInt32LittleEndian(body.AsSpan(at + 9), Crc32.HashToUInt32(body.AsSpan(at + 13, length)));
            at += 13 + length;
        }
    }

    private static T Property<T>(string name) => (T)Schemas.GetProperty(name, BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!;
}
