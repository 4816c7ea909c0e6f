using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Ends a request that the account keeps responding to with 410. The SDK reads the partition ranges again and sends a query again without
/// a limit, so that a count would wait without end and without a reason.
/// </summary>
/// <param name="limit">Time without another response after which a 410 becomes a 503 that names it.</param>
internal sealed class GoneLimit(TimeSpan limit) : RequestHandler
{
    /// <summary>Far more than a split or a merge takes to be seen.</summary>
    public static readonly TimeSpan Default = TimeSpan.FromSeconds(30);

    private const string SubStatusHeader = "x-ms-substatus";

    private long _since;

    public override async Task<ResponseMessage> SendAsync(RequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken);
        if (response.StatusCode != HttpStatusCode.Gone)
        {
            Volatile.Write(ref _since, 0);
            return response;
        }

        var now = Stopwatch.GetTimestamp();
        var since = Interlocked.CompareExchange(ref _since, now, 0);
        if (since == 0 || Stopwatch.GetElapsedTime(since, now) < limit)
            return response;
        var code = response.Headers.TryGetValue(SubStatusHeader, out var subStatus) ? $"410/{subStatus}" : "410";
        response.Dispose();
        return new ResponseMessage(
            HttpStatusCode.ServiceUnavailable, request,
            $"it has responded with {code} for {limit.TotalSeconds:0.#} s, although the partition ranges were read again");
    }
}
