using System.Buffers;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Protocol.Batches;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Batch requests: TransactionalBatches, and the carriers of bulk operations.</summary>
internal static class BatchEndpoint
{
    /// <summary>A batch may have 2 MB of documents, and what the format adds to them.</summary>
    public const int MaxBodyBytes = 2 * 1024 * 1024 + (64 * 1024);
    private const string ContentType = "application/octet-stream";

    public static ValueTask ProcessAsync(GatewayExchange context, ContainerResource container)
    {
        if (context.Body.Length > MaxBodyBytes)
            throw new RequestException(ServiceStatus.TooLarge, 0, "Request size is too large: a batch may have 2 MB.");
        return context.Flag(GatewayHeaders.BatchAtomic) ? RunTransactionAsync(context, container) : RunBulkAsync(context, container);
    }

    private static async ValueTask RunTransactionAsync(GatewayExchange context, ContainerResource container)
    {
        var bodies = new ArrayBufferWriter<byte>();
        var work = new TransactionWork(bodies) { Container = container };
        if (!BatchReader.TryRead(context.Body, Add, out string? fault))
            throw RequestException.BadRequest(fault!);
        if (work.TryPrepare(context.PartitionKey()))
        {
            if (!await context.Account.Pipeline.RunAsync(work, ConnectionMode.Gateway).ConfigureAwait(false))
            {
                context.Abort();
                return;
            }

            DocumentEndpoint.WriteHeaders(context, container, container.Partitions[work.Partition!.Value], work.Result);
        }

        if (work.HasOperationResults)
        {
            BatchWriter.Write(context.Output, container, work.Operations, work.Operations.Count, bodies.WrittenSpan);
            await context.WriteAsync(work.Result.Status, ContentType).ConfigureAwait(false);
        }
        else
        {
            await context.WriteErrorAsync(work.Result.Status, work.Result.SubStatus, work.Result.Message).ConfigureAwait(false);
        }

        DocumentOperation Add()
        {
            var operation = new DocumentOperation();
            work.Operations.Add(operation);
            return operation;
        }
    }

    private static async ValueTask RunBulkAsync(GatewayExchange context, ContainerResource container)
    {
        BulkWork work = context.Bulk;
        work.Container = container;
        work.Count = 0;
        work.ContinuesOnError = context.Flag(GatewayHeaders.BatchContinueOnError);
        work.Range = null;
        context.BulkBodies.ResetWrittenCount();
        if (context.Header(GatewayHeaders.PartitionKeyRangeId) is { } range)
        {
            work.Range = container.FindRange(range)
                ?? throw new RequestException(ServiceStatus.Gone, ServiceStatus.PartitionKeyRangeGone, "The partition key range does not exist.");
        }

        if (!BatchReader.TryRead(context.Body, work.Add, out string? fault))
            throw RequestException.BadRequest(fault!);
        work.Prepare();
        if (!await context.Account.Pipeline.RunAsync(work, ConnectionMode.Gateway).ConfigureAwait(false))
        {
            context.Abort();
            return;
        }

        DocumentEndpoint.WriteHeaders(context, container, work.Range, work.Result);
        if (work.Result.Status is ServiceStatus.Ok or ServiceStatus.MultiStatus)
        {
            BatchWriter.Write(context.Output, container, work.Operations, work.Count, context.BulkBodies.WrittenSpan);
            await context.WriteAsync(work.Result.Status, ContentType).ConfigureAwait(false);
        }
        else
        {
            await context.WriteErrorAsync(work.Result.Status, work.Result.SubStatus, work.Result.Message).ConfigureAwait(false);
        }
    }
}
