using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Limits the retries of a request to which the account keeps responding with 410 (Gone). The SDK refreshes the partition ranges and
/// retries a query without a limit, so a count would never end and never report the cause.
/// </summary>
/// <param name="limit">Time with 410 as the only response, after which a 410 is replaced by a 503 that names it.</param>
/// <param name="time">Null for the system's clock.</param>
internal sealed class GoneLimit(TimeSpan limit, TimeProvider? time = null) : RequestHandler
{
    /// <summary>Much longer than the SDK takes to detect a split or a merge.</summary>
    public static readonly TimeSpan Default = TimeSpan.FromSeconds(30);

    private const string SubStatusHeader = "x-ms-substatus";

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private long _since;

    public override async Task<ResponseMessage> SendAsync(RequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken);
        if (response.StatusCode != HttpStatusCode.Gone)
        {
            Volatile.Write(ref _since, 0);
            return response;
        }

        var now = _time.GetTimestamp();
        var since = Interlocked.CompareExchange(ref _since, now, 0);
        if (since == 0 || _time.GetElapsedTime(since, now) < limit)
            return response;
        var code = response.Headers.TryGetValue(SubStatusHeader, out var subStatus) ? $"410/{subStatus}" : "410";
        response.Dispose();
        return new ResponseMessage(
            HttpStatusCode.ServiceUnavailable, request,
            $"it has responded with {code} for {limit.TotalSeconds:0.#} s, although the partition ranges were read again");
    }
}
