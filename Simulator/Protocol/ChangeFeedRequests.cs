using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.ChangeFeed;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// Requests for the change feed of a container's documents: <c>A-IM: Incremental Feed</c> for its mode <c>LatestVersion</c>. A page's ETag
/// is its continuation; a page without documents is a 304.
/// </summary>
internal static class ChangeFeedRequests
{
    private const string LatestVersion = "Incremental Feed";
    private const int DefaultPage = 100;
    private const int LargestPage = 1_000;

    /// <summary>Whether a read feed is for changes.</summary>
    public static bool Are(AccountRequest request) => request.Has(RequestField.ChangeFeed);

    public static async ValueTask RunAsync(Exchange exchange, AccountEngine engine)
    {
        AccountRequest request = exchange.Request;
        AccountResponse response = exchange.Response;
        ChangeFeedWork work = Read(exchange);
        if (!work.TryPrepare())
            throw RequestException.From(work.Result);
        work.SessionLsn = DocumentRequests.ReadSessionLsn(request, work.Partition!);
        await DocumentRequests.RunAsync(exchange, engine, work).ConfigureAwait(false);
        if (!work.Result.IsSuccess && work.Result.Status != ServiceStatus.NotModified)
            return;
        response.ItemCount = work.ItemCount;
        response.Etag = ChangeFeedStart.Etag(work.ContinuationLsn);
        if (work.ItemCount == 0)
            response.Output.ResetWrittenCount();
    }

    private static ChangeFeedWork Read(Exchange exchange)
    {
        AccountRequest request = exchange.Request;
        AccountResponse response = exchange.Response;
        if (request.Operation != OperationType.ReadFeed)
            throw RequestException.BadRequest("Queries over the change feed are not simulated.");
        string mode = request.Text(RequestField.ChangeFeed)!;
        if (!mode.Replace('-', ' ').Equals(LatestVersion, StringComparison.OrdinalIgnoreCase))
            throw RequestException.BadRequest(
                $"The change feed is simulated in its mode LatestVersion ('{LatestVersion}') only, not in '{mode}'.");

        if (!ChangeFeedStart.TryParse(
            request.Text(RequestField.IfNoneMatch), request.Text(RequestField.IfModifiedSince), out ChangeFeedStart start))
        {
            throw RequestException.BadRequest(
                "If-None-Match must be an ETag of the change feed or *, and If-Modified-Since a time as in RFC 1123.");
        }

        Limits limits = ReadPositions(exchange, ReadKey(exchange));
        return new ChangeFeedWork
        {
            Container = response.Container!,
            Output = response.Output,
            Start = start,
            PageSize = request.PageSize switch { 0 => DefaultPage, < 0 => LargestPage, _ => Math.Min(request.PageSize, LargestPage) },
            OnlyPartition = limits.Partition,
            OnlyPositions = limits.Positions,
            OnlyHierarchy = limits.Hierarchy,
            OnlyKey = limits.Key,
        };
    }

    /// <summary>What the partition key of the request, or the first values of a hierarchical one, limit the feed to.</summary>
    private static Limits ReadKey(Exchange exchange)
    {
        var limits = new Limits { Partition = exchange.Response.Partition };
        ReadOnlyMemory<byte> json = exchange.Request.Bytes(RequestField.PartitionKey);
        if (json.IsEmpty)
            return limits;
        PartitionMap map = exchange.Response.Container!.Map;
        PartitionKeyDefinition definition = exchange.Response.Container.Settings.PartitionKey;
        if (definition.IsHierarchical && HierarchicalKey.TryReadJson(definition, json.Span, out HierarchicalKey prefix)
            && prefix.Count < definition.Paths.Count)
            return limits with { Hierarchy = HierarchicalRange.From(prefix), Partition = limits.Partition ?? map.Find(prefix.Position) };
        if (!OperationPreparer.TryReadKey(definition, json, out PartitionKeyIdentity key))
            throw RequestException.BadRequest("Partition key is invalid: it must be a JSON array with one value.");
        bool isElsewhere = limits.Partition is { } addressed && map.Find(key.Position) != addressed;
        return isElsewhere && exchange.Request.Mode == ConnectionMode.Direct
            ? throw RequestException.Gone("The partition key range does not hold the partition key.", ServiceStatus.PartitionKeyRangeGone)
            : limits with { Key = key };
    }

    /// <summary>The positions that the client asks for, unless they are all of a partition.</summary>
    private static Limits ReadPositions(Exchange exchange, Limits limits)
    {
        if (!exchange.Request.Has(RequestField.StartPosition) && !exchange.Request.Has(RequestField.EndPosition))
            return limits;
        // Direct clients leave out a start before the first position, whose text is empty.
        string start = exchange.Request.Text(RequestField.StartPosition) ?? "";
        string end = exchange.Request.Text(RequestField.EndPosition) ?? "FF";
        ContainerResource container = exchange.Response.Container!;
        try
        {
            EffectivePartitionKey first = EffectivePartitionKey.Parse(start);
            EffectivePartitionKey last = EffectivePartitionKey.Parse(end);
            PhysicalPartition partition = limits.Partition ?? container.Map.Find(first);
            bool isWhole = first.Position <= partition.Range.Start.Position && last.Position >= partition.Range.End.Position;
            limits = limits with { Partition = partition };
            return container.Settings.PartitionKey.IsHierarchical ? limits with { Hierarchy = new HierarchicalRange(start, end) }
                : isWhole ? limits
                : limits with { Positions = (first, last) };
        }
        catch (FormatException e)
        {
            throw RequestException.BadRequest(e.Message);
        }
    }

    /// <summary>Which documents a request's feed has.</summary>
    private sealed record Limits
    {
        public PhysicalPartition? Partition { get; init; }

        public PartitionKeyIdentity? Key { get; init; }

        public (EffectivePartitionKey Start, EffectivePartitionKey End)? Positions { get; init; }

        public HierarchicalRange? Hierarchy { get; init; }
    }
}
