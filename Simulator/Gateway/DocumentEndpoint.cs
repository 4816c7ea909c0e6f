using System.Globalization;
using System.Text;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Protocol;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Operations on single documents: <c>.../docs</c> and <c>.../docs/{id}</c>.</summary>
internal static class DocumentEndpoint
{
    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        ContainerResource container = ResourceLookup.Container(context, asOwner: true);
        bool isFeed = context.Target.Kind == ResourceKind.Documents;
        return context.Target.Method switch
        {
            "POST" when isFeed && context.Flag(GatewayHeaders.IsBatch) => BatchEndpoint.ProcessAsync(context, container),
            "POST" when isFeed && context.Flag(GatewayHeaders.IsQueryPlan) => QueryEndpoint.PlanAsync(context, container),
            "POST" when isFeed && IsQuery(context) => QueryEndpoint.QueryAsync(context, container),
            "POST" when isFeed && context.Flag(GatewayHeaders.IsUpsert) => RunAsync(context, container, OperationKind.Upsert),
            "POST" when isFeed => RunAsync(context, container, OperationKind.Create),
            "GET" when isFeed => QueryEndpoint.FeedAsync(context, container),
            "GET" => RunAsync(context, container, OperationKind.Read),
            "PUT" when !isFeed => RunAsync(context, container, OperationKind.Replace),
            "DELETE" when !isFeed => RunAsync(context, container, OperationKind.Delete),
            _ => throw new RequestException(405, 0, "The method is not allowed on this path."),
        };
    }

    /// <summary>Headers that every answer of a document operation has.</summary>
    public static void WriteHeaders(GatewayExchange context, ContainerResource container, PhysicalPartition? partition, OperationResult result)
    {
        context.SetCharge(result.Charge);
        context.SetContainer(container);
        if (partition is not null)
        {
            context.ResponseHeaders[GatewayHeaders.SessionToken] = SessionTokens.Write(partition, result.Lsn);
            context.ResponseHeaders[GatewayHeaders.Lsn] = result.Lsn.ToString(CultureInfo.InvariantCulture);
        }

        if (result.RetryAfterMs > 0)
            context.ResponseHeaders[GatewayHeaders.RetryAfterMs] = result.RetryAfterMs.ToString(CultureInfo.InvariantCulture);
    }

    private static bool IsQuery(GatewayExchange context) =>
        context.Flag(GatewayHeaders.IsQuery) || context.RequestHeaders.ContentType is [{ } type] && type.StartsWith("application/query+json", StringComparison.OrdinalIgnoreCase);

    private static async ValueTask RunAsync(GatewayExchange context, ContainerResource container, OperationKind kind)
    {
        SingleWork work = context.Single;
        DocumentOperation operation = work.Operation;
        operation.Reset();
        work.Container = container;
        operation.Kind = kind;
        operation.PartitionKeyJson = context.PartitionKey();
        operation.Body = context.Body;
        if (context.Target.LastId is { } id)
            operation.Id = Encoding.UTF8.GetBytes(id);
        operation.IfMatch = Single(context.RequestHeaders.IfMatch);
        operation.IfNoneMatch = Single(context.RequestHeaders.IfNoneMatch);
        operation.ReturnsBody = kind == OperationKind.Read || context.RequestHeaders["Prefer"] is not ["return=minimal"];
        if (!work.TryPrepare())
        {
            await context.Account.Pipeline.DelayRejectedAsync(ConnectionMode.Gateway).ConfigureAwait(false);
            await context.WriteErrorAsync(work.Result.Status, work.Result.SubStatus, work.Result.Message).ConfigureAwait(false);
            return;
        }

        if (!SessionTokens.TryRead(context.Header(GatewayHeaders.SessionToken), operation.Partition, out long sessionLsn))
            throw RequestException.BadRequest("The session token is malformed.");
        operation.SessionLsn = sessionLsn;

        if (!await context.Account.Pipeline.RunAsync(work, ConnectionMode.Gateway).ConfigureAwait(false))
        {
            context.Abort();
            return;
        }

        OperationResult result = work.Result;
        WriteHeaders(context, container, container.Partitions[operation.Partition], result);
        if (result.Version > 0)
            context.ResponseHeaders.ETag = DocumentEtag.Quoted(container.Number, result.Version);
        if (result.IsSuccess || result.Status == ServiceStatus.NotModified)
            await context.WriteAsync(result.Status).ConfigureAwait(false);
        else
            await context.WriteErrorAsync(result.Status, result.SubStatus, result.Message).ConfigureAwait(false);
    }

    private static string? Single(Microsoft.Extensions.Primitives.StringValues values) => values.Count == 0 ? null : values[0];
}
