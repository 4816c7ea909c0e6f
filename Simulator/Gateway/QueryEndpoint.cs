using System.Globalization;
using System.Text.Json;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Simulator.Protocol;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Queries, query plans and the read feed of a container's documents.</summary>
internal static class QueryEndpoint
{
    public const int DefaultPage = 100;
    public const int LargestPage = 1_000;

    public static ValueTask PlanAsync(GatewayExchange context, ContainerResource container)
    {
        ParsedQuery query = QueryParser.ParseRequest(context.Body);
        using (var writer = new Utf8JsonWriter(context.Output))
            QueryPlan.Write(writer, container, query);
        context.SetCharge(RequestUnits.Zero);
        return context.WriteAsync(ServiceStatus.Ok);
    }

    public static ValueTask QueryAsync(GatewayExchange context, ContainerResource container) =>
        RunAsync(context, container, QueryParser.ParseRequest(context.Body));

    public static ValueTask FeedAsync(GatewayExchange context, ContainerResource container)
    {
        if (context.RequestHeaders.ContainsKey("A-IM"))
            throw RequestException.BadRequest("The change feed is not simulated.");
        return RunAsync(context, container, ParsedQuery.Everything);
    }

    private static async ValueTask RunAsync(GatewayExchange context, ContainerResource container, ParsedQuery query)
    {
        var work = new QueryWork(context.Output) { Container = container, Query = query, PageSize = PageSize(context) };
        SetTarget(context, container, work);
        if (context.Header(GatewayHeaders.Continuation) is { Length: > 0 } token)
        {
            if (!QueryContinuation.TryParse(token, out QueryContinuation continuation))
                throw RequestException.BadRequest("The continuation token is malformed.");
            work.Continuation = continuation;
        }

        if (!work.TryPrepare())
        {
            await context.WriteErrorAsync(work.Result.Status, work.Result.SubStatus, work.Result.Message).ConfigureAwait(false);
            return;
        }

        if (!SessionTokens.TryRead(context.Header(GatewayHeaders.SessionToken), work.Partition!.Value, out long sessionLsn))
            throw RequestException.BadRequest("The session token is malformed.");
        work.SessionLsn = sessionLsn;
        if (!await context.Account.Pipeline.RunAsync(work, ConnectionMode.Gateway).ConfigureAwait(false))
        {
            context.Abort();
            return;
        }

        OperationResult result = work.Result;
        DocumentEndpoint.WriteHeaders(context, container, container.Partitions[work.Partition.Value], result);
        if (!result.IsSuccess)
        {
            await context.WriteErrorAsync(result.Status, result.SubStatus, result.Message).ConfigureAwait(false);
            return;
        }

        context.ResponseHeaders[GatewayHeaders.ItemCount] = work.ItemCount.ToString(CultureInfo.InvariantCulture);
        if (work.Next is { } next)
            context.ResponseHeaders[GatewayHeaders.Continuation] = next.ToString();
        await context.WriteAsync(result.Status).ConfigureAwait(false);
    }

    private static void SetTarget(GatewayExchange context, ContainerResource container, QueryWork work)
    {
        ReadOnlyMemory<byte> keyJson = context.PartitionKey();
        if (!keyJson.IsEmpty)
        {
            if (!OperationPreparer.TryReadKey(container.Definition.Version, keyJson, out PartitionKeyIdentity key))
                throw RequestException.BadRequest("Partition key is invalid: it must be a JSON array with one value.");
            work.OnlyKey = key;
        }

        if (context.Header(GatewayHeaders.PartitionKeyRangeId) is { } range)
        {
            // Older clients put the container's id in front.
            string id = range[(range.IndexOf(',') + 1)..];
            work.OnlyPartition = (container.FindRange(id)
                ?? throw new RequestException(ServiceStatus.Gone, ServiceStatus.PartitionKeyRangeGone, "The partition key range does not exist.")).Ordinal;
        }

        if (context.Header(GatewayHeaders.StartPosition) is { } start && context.Header(GatewayHeaders.EndPosition) is { } end)
            LimitPositions(container, work, start, end);
    }

    /// <summary>Limits a query to the positions a client asks for, unless they hold the whole partition anyway.</summary>
    /// <exception cref="RequestException">400: not hexadecimal.</exception>
    public static void LimitPositions(ContainerResource container, QueryWork work, string start, string end)
    {
        try
        {
            EffectivePartitionKey first = EffectivePartitionKey.Parse(start);
            EffectivePartitionKey last = EffectivePartitionKey.Parse(end);
            work.OnlyPartition ??= container.Table.Find(first).Ordinal;
            PhysicalPartition partition = container.Partitions[work.OnlyPartition.Value];
            if (first.Position > partition.Start.Position || last.Position < partition.End.Position)
                work.OnlyPositions = (first, last);
        }
        catch (FormatException e)
        {
            throw RequestException.BadRequest(e.Message);
        }
    }

    private static int PageSize(GatewayExchange context)
    {
        if (context.Header(GatewayHeaders.MaxItemCount) is not { } text)
            return DefaultPage;
        if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int size) || size < -1 || size == 0)
            throw RequestException.BadRequest($"The page size '{text}' is neither -1 nor a positive number.");
        return size < 0 ? LargestPage : Math.Min(size, LargestPage);
    }
}
