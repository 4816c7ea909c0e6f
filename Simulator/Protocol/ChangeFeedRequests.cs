using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.ChangeFeed;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// Requests for the change feed of a container's documents: <c>A-IM: Incremental Feed</c> for its mode <c>LatestVersion</c>. A page's ETag
/// is its continuation; a page without documents is a 304.
/// </summary>
internal static class ChangeFeedRequests
{
    private const string LatestVersion = "Incremental Feed";

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

        return new ChangeFeedWork
        {
            Container = response.Container!,
            Output = response.Output,
            Start = start,
            PageSize = ScopeReader.PageSize(request),
            Scope = ScopeReader.Read(request, response.Container!, response.Partition),
        };
    }
}
