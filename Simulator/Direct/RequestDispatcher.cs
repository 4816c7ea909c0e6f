using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Direct;

/// <summary>Authenticates one connection's requests and starts what they ask for.</summary>
internal sealed class RequestDispatcher(AccountEngine account) : IDisposable
{
    private readonly RequestSignature _signature = new(account);
    private readonly ContainerRoutes _routes = new(account.Catalog);

    public void Start(DirectExchange exchange)
    {
        try
        {
            int unauthorized = _signature.Check(exchange, out string? fault);
            if (unauthorized != 0)
                Reject(exchange, unauthorized, fault);
            else
                Dispatch(exchange);
        }
        catch (RequestException e)
        {
            exchange.TurnAway(account.Pipeline, OperationResult.Fail(e.Status, e.Message, e.SubStatus));
        }
        catch (QueryException e)
        {
            Reject(exchange, ServiceStatus.BadRequest, e.Message);
        }
    }

    public void Dispose() => _signature.Dispose();

    private void Dispatch(DirectExchange exchange)
    {
        switch (exchange.Head.Resource, exchange.Head.Operation)
        {
            case (ResourceTypes.Database, OperationTypes.Read or OperationTypes.ReadFeed or OperationTypes.Query or OperationTypes.SqlQuery or OperationTypes.HeadFeed):
            case (ResourceTypes.Container, OperationTypes.ReadFeed or OperationTypes.Query or OperationTypes.SqlQuery):
                MasterRequests.Start(exchange, account);
                return;
            case (ResourceTypes.Container, OperationTypes.Head):
                // The barrier of a quorum read: only the partition's position is asked for.
                Resolve(exchange);
                exchange.Answer.Result = new OperationResult { Status = ServiceStatus.Ok };
                exchange.Run(account.Pipeline.DelayRejectedAsync(ConnectionMode.Direct));
                return;
            case (ResourceTypes.Document, _):
                CheckConsistency(exchange.Head.Consistency);
                Resolve(exchange);
                StartDocument(exchange);
                return;
            default:
                Reject(exchange, ServiceStatus.BadRequest, $"Operation {exchange.Head.Operation} on resource {exchange.Head.Resource} is not simulated over Direct.");
                return;
        }
    }

    private void StartDocument(DirectExchange exchange)
    {
        switch (exchange.Head.Operation)
        {
            case OperationTypes.Create:
                SingleRequests.Start(exchange, account.Pipeline, OperationKind.Create);
                return;
            case OperationTypes.Upsert:
                SingleRequests.Start(exchange, account.Pipeline, OperationKind.Upsert);
                return;
            case OperationTypes.Replace:
                SingleRequests.Start(exchange, account.Pipeline, OperationKind.Replace);
                return;
            case OperationTypes.Delete:
                SingleRequests.Start(exchange, account.Pipeline, OperationKind.Delete);
                return;
            case OperationTypes.Read or OperationTypes.Head:
                SingleRequests.Start(exchange, account.Pipeline, OperationKind.Read);
                return;
            case OperationTypes.Batch:
                BatchRequests.Start(exchange, account.Pipeline);
                return;
            case OperationTypes.Query or OperationTypes.SqlQuery:
                QueryRequests.Start(exchange, account.Pipeline, QueryParser.ParseRequest(exchange.Body));
                return;
            case OperationTypes.ReadFeed:
                QueryRequests.Start(exchange, account.Pipeline, ParsedQuery.Everything);
                return;
            default:
                Reject(exchange, ServiceStatus.BadRequest, $"Operation {exchange.Head.Operation} on documents is not simulated.");
                return;
        }
    }

    /// <summary>Finds the container and the partition that the client believes to talk to.</summary>
    /// <exception cref="RequestException">404, or 410 for a client whose belief is out of date.</exception>
    private void Resolve(DirectExchange exchange)
    {
        ref RequestHead head = ref exchange.Head;
        ReadOnlySpan<byte> frame = exchange.Frame.Span;
        ContainerRoute route = _routes.Find(head.Database.In(frame), head.Container.In(frame)) ?? throw RequestException.NotFound(ServiceStatus.OwnerNotFound);
        exchange.Route = route;
        if (!head.CollectionRid.IsEmpty && !head.CollectionRid.In(frame).SequenceEqual(route.Rid))
            throw new RequestException(ServiceStatus.Gone, ServiceStatus.NameCacheIsStale, "The container has been created anew since the client read it.");
        if (!ReplicaPath.TryParse(head.ReplicaPath.In(frame), out ReplicaPath replica) || replica.Partition == ReplicaPath.Master)
            throw RequestException.BadRequest("The replica path names no replica of a document partition.");
        exchange.Answer.Partition = route.Container.FindRange(replica.Partition)
            ?? throw new RequestException(
                ServiceStatus.Gone, head.RangeId.IsEmpty ? ServiceStatus.CompletingSplit : ServiceStatus.PartitionKeyRangeGone, "The partition key range does not exist.");
        bool isRead = head.Operation is OperationTypes.Read or OperationTypes.Head or OperationTypes.ReadFeed or OperationTypes.Query or OperationTypes.SqlQuery;
        if (!isRead && !replica.IsPrimary)
            throw new RequestException(ServiceStatus.Gone, 0, "The replica is not the primary, which alone takes writes.");
    }

    private void CheckConsistency(byte number)
    {
        if (number == byte.MaxValue)
            return;
        ConsistencyLevel level = number switch
        {
            0 => ConsistencyLevel.Strong,
            1 => ConsistencyLevel.BoundedStaleness,
            2 => ConsistencyLevel.Session,
            3 => ConsistencyLevel.Eventual,
            4 => ConsistencyLevel.ConsistentPrefix,
            _ => throw RequestException.BadRequest($"{number} is no consistency level."),
        };
        if (level < account.Consistency)
            throw RequestException.BadRequest($"ConsistencyLevel {level} specified in the request is invalid when service is configured with consistency level {account.Consistency}. Ensure the request consistency level is not stronger than the service consistency level.");
    }

    private void Reject(DirectExchange exchange, int status, string? message)
    {
        account.CountRejectedRequest();
        exchange.TurnAway(account.Pipeline, OperationResult.Fail(status, message));
    }
}
