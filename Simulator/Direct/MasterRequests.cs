using System.Text;
using System.Text.Json;
using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Gateway;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Direct;

/// <summary>Requests to the partition that holds the account's definitions: one database, lists, and the barrier that asks only for its position.</summary>
internal static class MasterRequests
{
    /// <summary>The partition's position. It is the same in all answers, so that a client that asks several replicas finds them agreed.</summary>
    public const long Lsn = 1;

    public static void Start(DirectExchange exchange, AccountEngine account)
    {
        ref RequestHead head = ref exchange.Head;
        DatabaseResource? database = null;
        if (!head.Database.IsEmpty && !account.Catalog.TryFindDatabase(Encoding.UTF8.GetString(head.Database.In(exchange.Frame.Span)), out database))
            throw RequestException.NotFound(head.Resource == ResourceTypes.Container ? ServiceStatus.OwnerNotFound : 0);
        switch (head.Resource, head.Operation)
        {
            case (ResourceTypes.Database, OperationTypes.HeadFeed):
                break;
            case (ResourceTypes.Database, OperationTypes.Read) when database is not null:
                using (var writer = new Utf8JsonWriter(exchange.Output))
                    DatabaseEndpoint.Write(writer, database);
                break;
            case (ResourceTypes.Database, OperationTypes.ReadFeed or OperationTypes.Query or OperationTypes.SqlQuery) when database is null:
                exchange.Answer.ItemCount = ResourceFeed.Write(exchange.Output, QueryOf(exchange), "", "Databases", account.Catalog.Databases, DatabaseEndpoint.Write);
                break;
            case (ResourceTypes.Container, _) when database is not null:
                exchange.Answer.ItemCount = ResourceFeed.Write(
                    exchange.Output, QueryOf(exchange), database.Rid, "DocumentCollections", ResourceCatalog.ContainersOf(database), ContainerEndpoint.Write);
                break;
            default:
                throw RequestException.BadRequest("The request names no database.");
        }

        exchange.Answer.Result = new OperationResult { Status = ServiceStatus.Ok, Charge = RequestCharges.MetadataRead, Lsn = Lsn };
        exchange.Answer.Body = exchange.Output.WrittenMemory;
        exchange.Run(account.Pipeline.DelayRejectedAsync(ConnectionMode.Direct));
    }

    private static ParsedQuery QueryOf(DirectExchange exchange) =>
        exchange.Head.Operation == OperationTypes.ReadFeed ? ParsedQuery.Everything : QueryParser.ParseRequest(exchange.Body);
}
