using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Gateway;
using ScaleOut.Simulator.Protocol.Batches;

namespace ScaleOut.Simulator.Direct;

/// <summary>Batch requests: TransactionalBatches, and the carriers of bulk operations.</summary>
internal static class BatchRequests
{
    private static readonly Action<DirectExchange> CompleteBulk = static exchange =>
    {
        BulkWork work = exchange.Bulk;
        exchange.Answer.Result = work.Result;
        if (work.Result.Status is ServiceStatus.Ok or ServiceStatus.MultiStatus)
            WriteBody(exchange, work.Operations, work.Count);
    };

    public static void Start(DirectExchange exchange, OperationPipeline pipeline)
    {
        if (exchange.Body.Length > BatchEndpoint.MaxBodyBytes)
            throw new RequestException(ServiceStatus.TooLarge, 0, "Request size is too large: a batch may have 2 MB.");
        if (exchange.Head.IsAtomic)
            StartTransaction(exchange, pipeline);
        else
            StartBulk(exchange, pipeline);
    }

    private static void StartTransaction(DirectExchange exchange, OperationPipeline pipeline)
    {
        var work = new TransactionWork(exchange.BatchBodies) { Container = exchange.Route!.Container };
        if (!BatchReader.TryRead(exchange.Body, Add, out string? fault))
            throw RequestException.BadRequest(fault!);
        if (!work.TryPrepare(exchange.Head.PartitionKey.In(exchange.Frame)))
        {
            exchange.TurnAway(pipeline, work.Result);
            return;
        }

        if (work.Partition != exchange.Answer.Partition!.Ordinal)
            throw new RequestException(ServiceStatus.Gone, ServiceStatus.CompletingSplit, "The partition key range does not hold the partition key.");
        exchange.Run(pipeline, work, done =>
        {
            done.Answer.Result = work.Result;
            if (work.HasOperationResults)
                WriteBody(done, work.Operations, work.Operations.Count);
        });

        DocumentOperation Add()
        {
            var operation = new DocumentOperation();
            work.Operations.Add(operation);
            return operation;
        }
    }

    private static void StartBulk(DirectExchange exchange, OperationPipeline pipeline)
    {
        BulkWork work = exchange.Bulk;
        work.Container = exchange.Route!.Container;
        work.Count = 0;
        work.ContinuesOnError = exchange.Head.ContinuesOnError;
        work.Range = exchange.Answer.Partition;
        if (!BatchReader.TryRead(exchange.Body, work.Add, out string? fault))
            throw RequestException.BadRequest(fault!);
        work.Prepare();
        exchange.Run(pipeline, work, CompleteBulk);
    }

    private static void WriteBody(DirectExchange exchange, List<DocumentOperation> operations, int count)
    {
        BatchWriter.Write(exchange.Output, exchange.Route!.Container, operations, count, exchange.BatchBodies.WrittenSpan);
        exchange.Answer.Body = exchange.Output.WrittenMemory;
    }
}
