using ScaleOut.Simulator.Engine.ChangeFeed;
using ScaleOut.Simulator.Engine.Queries.Execution;
using ScaleOut.Simulator.Protocol.Batches;

namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// Requests for the change feed: <c>A-IM: Incremental Feed</c> for its mode <c>LatestVersion</c>, <c>Full-Fidelity Feed</c> for its mode
/// <c>AllVersionsAndDeletes</c>, which Direct clients, too, ask of the gateway. A page's ETag is its continuation; a page without documents
/// is a 304.
/// </summary>
internal static class ChangeFeedRequests
{
    private const string LatestVersion = "Incremental Feed";
    private const string AllVersions = "Full-Fidelity Feed";

    /// <summary>The form of all versions in which metadata are an object beside the document.</summary>
    private const string Format = "2021-09-15";

    public static bool Are(AccountRequest request) => request.Has(RequestField.ChangeFeed);

    public static async ValueTask RunAsync(Exchange exchange, AccountEngine engine)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        var work = Read(exchange);
        if (!work.TryPrepare())
            throw RequestException.From(work.Result);
        work.SessionLsn = DocumentRequests.ReadSessionLsn(request, work.Partition!);
        await DocumentRequests.RunAsync(exchange, engine, work);
        if (!work.Result.IsSuccess && work.Result.Status != ServiceStatus.NotModified)
            return;
        response.ItemCount = work.ItemCount;
        response.Etag = ChangeFeedStart.Etag(work.ContinuationLsn);
        if (work.ItemCount == 0)
            response.Output.ResetWrittenCount();
    }

    private static ChangeFeedWork Read(Exchange exchange)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        if (request.Operation != OperationType.ReadFeed)
            throw RequestException.BadRequest("Queries over the change feed are not simulated.");
        var mode = request.Text(RequestField.ChangeFeed)!;
        var hasAllVersions = Is(AllVersions);
        if (!hasAllVersions && !Is(LatestVersion))
            throw RequestException.BadRequest($"The mode of the change feed '{mode}' is neither '{LatestVersion}' nor '{AllVersions}'.");
        if (hasAllVersions && request.Text(RequestField.ChangeFeedFormat) != Format)
            throw RequestException.BadRequest($"All versions and deletes are simulated in the wire format {Format} only.");
        if (hasAllVersions && request.Text(RequestField.IfNoneMatch) is null)
            throw RequestException.BadRequest("All versions and deletes can be read from now on or from a continuation only.");
        if (!ChangeFeedStart.TryParse(
            request.Text(RequestField.IfNoneMatch), request.Text(RequestField.IfModifiedSince), out var start))
        {
            throw RequestException.BadRequest(
                "If-None-Match must be an ETag of the change feed or *, and If-Modified-Since a time as in RFC 1123.");
        }

        return new ChangeFeedWork
        {
            Container = response.Container!,
            Output = response.Output,
            HasAllVersions = hasAllVersions,
            Start = start,
            PageSize = PageSize.From(request),
            Scope = ScopeReader.Read(request, response.Container!, response.Partition),
        };

        bool Is(string name) => mode.Replace('-', ' ').Equals(name.Replace('-', ' '), StringComparison.OrdinalIgnoreCase);
    }
}
