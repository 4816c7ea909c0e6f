using System.Text.Json;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Simulator.Engine.Queries.Execution;
using ScaleOut.Simulator.Engine.Queries.Syntax;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Queries, query plans and the read feed of a container's documents.</summary>
internal static class QueryRequests
{
    public static ValueTask Plan(Exchange exchange, ContainerResource container)
    {
        exchange.Response.Charge = RequestUnits.Zero;
        exchange.Response.SetJson(ServiceStatus.Ok, QueryPlan.Create(container, QueryParser.ParseRequest(exchange.Request.Body)));
        return ValueTask.CompletedTask;
    }

    public static async ValueTask RunAsync(Exchange exchange, AccountEngine engine, ParsedQuery query)
    {
        AccountRequest request = exchange.Request;
        AccountResponse response = exchange.Response;
        var work = new QueryWork
        {
            Container = response.Container!,
            Output = response.Output,
            Query = query,
            PageSize = ScopeReader.PageSize(request),
            Scope = ScopeReader.Read(request, response.Container!, response.Partition),
        };
        string token = request.Text(RequestField.Continuation) ?? "";
        bool isMalformed = !QueryContinuation.TryParse(token, out QueryContinuation continuation) && token.Length > 0;
        work.Continuation = continuation;
        if (!work.TryPrepare())
            throw work.NeedsPlan ? CrossPartition(work) : RequestException.From(work.Result);
        // Clients send the token of a query with a plan here too, and get the plan with the error.
        if (isMalformed)
            throw RequestException.BadRequest("The continuation token is malformed.");
        work.SessionLsn = DocumentRequests.ReadSessionLsn(request, work.Partition!);
        await DocumentRequests.RunAsync(exchange, engine, work).ConfigureAwait(false);
        if (!work.Result.IsSuccess)
            return;
        response.ItemCount = work.ItemCount;
        response.Continuation = work.Next?.ToString();
        if (request.Operation != OperationType.Query)
            return;
        if (request.Has(RequestField.QueryMetrics))
            response.QueryMetrics = work.Metrics;
        bool isNewer = request.Has(RequestField.IndexMetricsV2);
        if (isNewer || request.Has(RequestField.IndexMetrics))
            response.IndexMetrics = IndexMetrics.Create(query, work.Container.Settings.Indexing, isNewer);
    }

    /// <summary>
    /// What the service says to a query whose results of several partitions only the client can combine. The plan comes with it, for
    /// clients that ask for none before.
    /// </summary>
    private static RequestException CrossPartition(QueryWork work)
    {
        string message = work.Query.Syntax is { IsAggregate: true, Select.Kind: not SelectKind.Value }
            ? "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates."
            : "The provided cross partition query can not be directly served by the gateway. This is a first chance (internal) exception "
                + "that all newer clients will know how to handle gracefully.";
        return new RequestException(ServiceStatus.BadRequest, message)
        {
            AdditionalInfo = JsonSerializer.Serialize(QueryPlan.Create(work.Container, work.Query)),
        };
    }
}
