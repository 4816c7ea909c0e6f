using System.Text;
using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct;

/// <summary>Requests for one document.</summary>
internal static class SingleRequests
{
    private static readonly Action<DirectExchange> Complete = static exchange =>
    {
        exchange.Answer.Result = exchange.Single.Result;
        if (exchange.Head.Operation != OperationTypes.Head)
            exchange.Answer.Body = exchange.Output.WrittenMemory;
    };

    public static void Start(DirectExchange exchange, OperationPipeline pipeline, OperationKind kind)
    {
        ref RequestHead head = ref exchange.Head;
        ReadOnlyMemory<byte> frame = exchange.Frame;
        PhysicalPartition addressed = exchange.Answer.Partition!;
        SingleWork work = exchange.Single;
        DocumentOperation operation = work.Operation;
        operation.Reset();
        work.Container = exchange.Route!.Container;
        operation.Kind = kind;
        operation.PartitionKeyJson = head.PartitionKey.In(frame);
        operation.Id = head.Document.In(frame);
        operation.Body = exchange.Body;
        operation.ReturnsBody = kind == OperationKind.Read || !head.WantsNoBody;
        if (!head.Match.IsEmpty)
        {
            // The operation says which of the two conditions it is.
            string etag = Encoding.UTF8.GetString(head.Match.In(frame.Span));
            if (kind == OperationKind.Read)
                operation.IfNoneMatch = etag;
            else
                operation.IfMatch = etag;
        }

        if (!work.TryPrepare())
        {
            exchange.TurnAway(pipeline, work.Result);
            return;
        }

        if (operation.Partition != addressed.Ordinal)
            throw new RequestException(ServiceStatus.Gone, ServiceStatus.CompletingSplit, "The partition key range does not hold the partition key.");
        if (!head.SessionToken.IsEmpty)
        {
            if (!SessionTokens.TryRead(head.SessionToken.In(frame.Span), addressed.Ordinal, out long sessionLsn))
                throw RequestException.BadRequest("The session token is malformed.");
            operation.SessionLsn = sessionLsn;
        }

        exchange.Run(pipeline, work, Complete);
    }
}
