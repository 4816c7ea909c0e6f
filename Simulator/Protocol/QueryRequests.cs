using System.Text.Json;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Simulator.Engine.Queries.Execution;
using ScaleOut.Simulator.Engine.Queries.Syntax;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Queries, query plans and the read feed of a container's documents.</summary>
internal static class QueryRequests
{
    private const int DefaultPage = 100;
    private const int LargestPage = 1_000;

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
            PageSize = request.PageSize switch { 0 => DefaultPage, < 0 => LargestPage, _ => Math.Min(request.PageSize, LargestPage) },
            OnlyPartition = response.Partition,
        };
        LimitKey(request, work);
        LimitPositions(request, work);
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

    private static void LimitKey(AccountRequest request, QueryWork work)
    {
        ReadOnlyMemory<byte> json = request.Bytes(RequestField.PartitionKey);
        if (json.IsEmpty)
            return;
        PartitionKeyDefinition definition = work.Container.Settings.PartitionKey;
        if (definition.IsHierarchical && HierarchicalKey.TryReadJson(definition, json.Span, out HierarchicalKey prefix)
            && prefix.Count < definition.Paths.Count)
        {
            work.OnlyHierarchy = HierarchicalRange.From(prefix);
            work.OnlyPartition ??= work.Container.Map.Find(prefix.Position);
            return;
        }

        if (!OperationPreparer.TryReadKey(definition, json, out PartitionKeyIdentity key))
            throw RequestException.BadRequest("Partition key is invalid: it must be a JSON array with one value.");
        if (request.Mode == ConnectionMode.Direct && work.Container.Map.Find(key.Position) != work.OnlyPartition)
            throw RequestException.Gone("The partition key range does not hold the partition key.", ServiceStatus.PartitionKeyRangeGone);
        work.OnlyKey = key;
    }

    /// <summary>Limits the query to the positions that the client asks for, unless they hold the whole partition anyway.</summary>
    private static void LimitPositions(AccountRequest request, QueryWork work)
    {
        if (!request.Has(RequestField.StartPosition) && !request.Has(RequestField.EndPosition))
            return;
        // Direct clients leave out a start before the first position, whose text is empty.
        string start = request.Text(RequestField.StartPosition) ?? "";
        string end = request.Text(RequestField.EndPosition) ?? "FF";
        try
        {
            EffectivePartitionKey first = EffectivePartitionKey.Parse(start);
            EffectivePartitionKey last = EffectivePartitionKey.Parse(end);
            PhysicalPartition partition = work.OnlyPartition ??= work.Container.Map.Find(first);
            if (work.Container.Settings.PartitionKey.IsHierarchical)
                work.OnlyHierarchy = new HierarchicalRange(start, end);
            else if (first.Position > partition.Range.Start.Position || last.Position < partition.Range.End.Position)
                work.OnlyPositions = (first, last);
        }
        catch (FormatException e)
        {
            throw RequestException.BadRequest(e.Message);
        }
    }
}
