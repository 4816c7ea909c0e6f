using ScaleOut.Simulator.Engine.Queries.Execution;
using ScaleOut.Simulator.Protocol.Batches;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Queries, query plans and the read feed of a container's documents.</summary>
internal static class QueryRequests
{
    public static ValueTask Plan(Exchange exchange, ContainerResource container)
    {
        var query = QueryParser.ParseRequest(exchange.Request.QueryBody, container.Settings.Indexing);
        QueryFeatures.Check(query.Syntax, exchange.Request.Text(RequestField.QueryFeatures));
        // The gateway makes plans itself.
        exchange.Response.Container = null;
        exchange.Response.SetJson(ServiceStatus.Ok, QueryPlan.Create(container, query));
        return ValueTask.CompletedTask;
    }

    /// <summary>The service's error for a limit that no token keeps, such as 0 (azure-cosmos-dotnet-v3 issue 3791).</summary>
    private const string LimitIsTooSmall =
        "The continuation token limit specified is not large enough to serialize the required attributes into the continuation token. "
        + "Please provide a higher limit.";

    private const string IsNotServed =
        "The provided cross partition query can not be directly served by the gateway. This is a first chance (internal) exception that "
        + "all newer clients will know how to handle gracefully. This exception is traced, but unless you see it bubble up as an exception "
        + "(which only happens on older SDK clients), then you can safely ignore this message.";

    private const string CrossPartitionIsOff =
        "Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, specify "
        + "x-ms-documentdb-partitionkey, or revise your query to avoid this exception.";

    public static async ValueTask RunAsync(Exchange exchange, AccountEngine engine, ParsedQuery query)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        if (request.ContinuationLimitKb == 0)
            throw RequestException.OfGateway(LimitIsTooSmall);
        var work = new QueryWork
        {
            Container = response.Container!,
            Output = response.Output,
            Query = query,
            PageSize = PageSize.From(request),
            Scope = ScopeReader.Read(request, response.Container!, response.Partition),
        };
        var token = request.Text(RequestField.Continuation) ?? "";
        var isMalformed = !QueryContinuation.TryParse(token, out var continuation) && token.Length > 0;
        work.Continuation = continuation;
        if (request is { Mode: ConnectionMode.Gateway, Operation: OperationType.Query } && work.Scope == DocumentScope.All)
            CheckCrossPartition(request, response.Container!, query);
        query.CheckOrder();
        CheckFunctions(query, response.Container!);
        if (!work.TryPrepare())
            throw RequestException.From(work.Result);
        // For tokens of queries with a plan, clients expect the plan with the error, so this is checked last.
        if (isMalformed)
            throw RequestException.OfGateway("Invalid Continuation Token");
        work.SessionLsn = DocumentRequests.ReadSessionLsn(request, work.Partition!);
        // The reader of the connection goes on with other requests while functions run.
        if (query.Syntax.UserCalls.Count > 0)
            await Task.Yield();
        await DocumentRequests.RunAsync(exchange, engine, work);
        if (!work.Result.IsSuccess)
            return;
        response.Continuation = work.Next?.ToString();
        if (request.ContinuationLimitKb is { } limit && response.Continuation?.Length > limit * 1024)
        {
            response.Continuation = null;
            response.Fail(RequestException.OfGateway(LimitIsTooSmall), request.Operation);
            return;
        }

        response.ItemCount = work.ItemCount;
        if (request.Operation != OperationType.Query)
            return;
        if (request.Has(RequestField.QueryMetrics))
            response.QueryMetrics = work.Metrics;
        var isNewer = request.Has(RequestField.IndexMetricsV2);
        if (isNewer || request.Has(RequestField.IndexMetrics))
            response.IndexMetrics = IndexMetrics.Create(query, work.Container.Settings.Indexing, isNewer);
    }

    /// <exception cref="RequestException">400: the container lacks a function that the query calls.</exception>
    private static void CheckFunctions(ParsedQuery query, ContainerResource container)
    {
        foreach (var call in query.Syntax.UserCalls)
        {
            if (container.Scripts.Find(ScriptKind.UserDefinedFunction, call.Name) is null)
                throw UserFunctions.NotFound(call.Name);
        }
    }

    /// <summary>
    /// The gateway's rules for a query over all partitions, also where there is only one: the client must ask for it, and only the client
    /// can combine results. The error has the plan, for clients that did not ask for one.
    /// </summary>
    private static void CheckCrossPartition(AccountRequest request, ContainerResource container, ParsedQuery query)
    {
        if (!query.Syntax.ReadsDocuments || query.FixedPartitionKey(container.Settings) is not null)
            return;
        if (!request.Has(RequestField.CrossPartition))
            throw RequestException.OfGateway(CrossPartitionIsOff);
        if (query.Syntax is { IsAggregate: true, Select.Kind: not SelectKind.Value } or { GroupBy.Count: > 0 })
            throw RequestException.OfQuery("Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates.");
        if (!query.IsPlain)
        {
            throw RequestException.OfGateway(
                IsNotServed, ServiceStatus.NeedsPlan, Encoding.UTF8.GetString(ResourceJson.ToBytes(QueryPlan.Create(container, query))));
        }
    }
}
