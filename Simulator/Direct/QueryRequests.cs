using System.Text;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Simulator.Gateway;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct;

/// <summary>Queries and read feeds, each of one physical partition.</summary>
internal static class QueryRequests
{
    public static void Start(DirectExchange exchange, OperationPipeline pipeline, ParsedQuery query)
    {
        ref RequestHead head = ref exchange.Head;
        ReadOnlySpan<byte> frame = exchange.Frame.Span;
        if (head.IsChangeFeed)
            throw RequestException.BadRequest("The change feed is not simulated.");
        ContainerResource container = exchange.Route!.Container;
        PhysicalPartition partition = exchange.Answer.Partition!;
        var work = new QueryWork(exchange.Output)
        {
            Container = container,
            Query = query,
            OnlyPartition = partition.Ordinal,
            PageSize = head.PageSize switch
            {
                0 => QueryEndpoint.DefaultPage,
                > QueryEndpoint.LargestPage => QueryEndpoint.LargestPage,
                _ => (int)head.PageSize,
            },
        };
        if (!head.PartitionKey.IsEmpty)
        {
            if (!OperationPreparer.TryReadKey(container.Definition.Version, head.PartitionKey.In(exchange.Frame), out PartitionKeyIdentity key))
                throw RequestException.BadRequest("Partition key is invalid: it must be a JSON array with one value.");
            if (container.Table.Find(key.Position) != partition)
                throw new RequestException(ServiceStatus.Gone, ServiceStatus.PartitionKeyRangeGone, "The partition key range does not hold the partition key.");
            work.OnlyKey = key;
        }

        if (!head.StartPosition.IsEmpty && !head.EndPosition.IsEmpty)
            QueryEndpoint.LimitPositions(container, work, Encoding.UTF8.GetString(head.StartPosition.In(frame)), Encoding.UTF8.GetString(head.EndPosition.In(frame)));
        if (!head.Continuation.IsEmpty)
        {
            if (!QueryContinuation.TryParse(Encoding.UTF8.GetString(head.Continuation.In(frame)), out QueryContinuation continuation))
                throw RequestException.BadRequest("The continuation token is malformed.");
            work.Continuation = continuation;
        }

        if (!SessionTokens.TryRead(head.SessionToken.In(frame), partition.Ordinal, out long sessionLsn))
            throw RequestException.BadRequest("The session token is malformed.");
        work.SessionLsn = sessionLsn;
        if (!work.TryPrepare())
        {
            exchange.TurnAway(pipeline, work.Result);
            return;
        }

        exchange.Run(pipeline, work, done =>
        {
            done.Answer.Result = work.Result;
            if (!work.Result.IsSuccess)
                return;
            done.Answer.Body = done.Output.WrittenMemory;
            done.Answer.ItemCount = work.ItemCount;
            done.Answer.Continuation = work.Next?.ToString();
        });
    }
}
