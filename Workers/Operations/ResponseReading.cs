using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>Classifies statuses, and reads them from the responses and exceptions of the SDK.</summary>
internal static class ResponseReading
{
    private const string SubStatusHeader = "x-ms-substatus";
    private const string RetryAfterHeader = "x-ms-retry-after-ms";

    private const string Unexpected = "this status is no response to the operation";

    /// <summary>What a status means for a create or a batch of them. A success of another kind says nothing of the document.</summary>
    public static AttemptKind KindOf(int status, int subStatus) => status switch
    {
        201 => AttemptKind.Succeeded,
        409 => AttemptKind.AlreadyThere,
        _ => KindOfError(status, subStatus),
    };

    /// <summary>What a status means for an upsert.</summary>
    public static AttemptKind KindOfUpsert(int status, int subStatus) =>
        status == 200 ? AttemptKind.AlreadyThere : KindOf(status, subStatus);

    /// <summary>What a status means for a point read or a patch.</summary>
    public static AttemptKind KindOfRead(int status, int subStatus) => status switch
    {
        200 => AttemptKind.Succeeded,
        404 when subStatus == SubStatus.ReadSessionNotAvailable => AttemptKind.Retry,
        404 when subStatus != SubStatus.OwnerMissing => AttemptKind.Failed,
        _ => KindOfError(status, subStatus),
    };

    /// <summary>What a status means for the replace of a document that was read. With 412 somebody has changed it since.</summary>
    public static AttemptKind KindOfReplace(int status, int subStatus) =>
        status == 412 ? AttemptKind.Retry : KindOfRead(status, subStatus);

    /// <summary>What a status means for a delete. A missing document counts as deleted already.</summary>
    public static AttemptKind KindOfDelete(int status, int subStatus) => status switch
    {
        200 or 204 => AttemptKind.Succeeded,
        404 when subStatus == SubStatus.ReadSessionNotAvailable => AttemptKind.Retry,
        404 when subStatus != SubStatus.OwnerMissing => AttemptKind.AlreadyThere,
        _ => KindOfError(status, subStatus),
    };

    /// <summary>What a status means for a page of a query. A query that the account rejects is rejected for every document.</summary>
    public static AttemptKind KindOfPage(int status, int subStatus) => status switch
    {
        200 => AttemptKind.Continued,
        400 => AttemptKind.Rejected,
        404 when subStatus == SubStatus.ReadSessionNotAvailable => AttemptKind.Retry,
        _ => KindOfError(status, subStatus),
    };

    /// <summary>What a status means that is no success of the operation.</summary>
    private static AttemptKind KindOfError(int status, int subStatus) => status switch
    {
        429 => AttemptKind.Throttled,
        449 => AttemptKind.Retry,
        0 or 408 or 410 or >= 500 => AttemptKind.RetryUncertain,
        403 when subStatus == SubStatus.PartitionKeyFull => AttemptKind.Failed,
        // The account is failing over to another region.
        403 when AccountErrors.IsTransient(HttpStatusCode.Forbidden, subStatus) => AttemptKind.Retry,
        401 or 403 or 404 => AttemptKind.Rejected,
        _ => AttemptKind.Failed,
    };

    /// <summary>Classifies a stream response.</summary>
    /// <param name="kindOf">What a status and sub-status mean.</param>
    public static AttemptResponse From(ResponseMessage response, Func<int, int, AttemptKind> kindOf)
    {
        var status = (int)response.StatusCode;
        if (status == 201 && kindOf(status, 0) == AttemptKind.Succeeded)
            return new AttemptResponse(AttemptKind.Succeeded, status, 0, ChargeOf(response.Headers.RequestCharge), default, null);
        var subStatus = SubStatusOf(response.Headers);
        var kind = kindOf(status, subStatus);
        return new AttemptResponse(
            kind,
            status,
            subStatus,
            ChargeOf(response.Headers.RequestCharge),
            RetryAfterOf(response.Headers),
            status is 409 or 429 ? null
                : kind == AttemptKind.Failed && response.IsSuccessStatusCode ? Unexpected : TextOf(response));
    }

    /// <summary>What a response was charged; zero if its header is no number of RU.</summary>
    public static RequestUnits ChargeOf(double header) =>
        header is > 0 and < double.PositiveInfinity ? RequestUnits.From(header) : RequestUnits.Zero;

    /// <summary>The service's text; null if there is none.</summary>
    private static string? TextOf(ResponseMessage response) =>
        ServiceText.Clean(response.ErrorMessage) is { Length: > 0 } text ? text : null;

    /// <summary>The sub-status; 0 if the response has none.</summary>
    internal static int SubStatusOf(Headers headers) =>
        int.TryParse(headers[SubStatusHeader], NumberStyles.Integer, CultureInfo.InvariantCulture, out var parsed) ? parsed : 0;

    /// <summary>Classifies an exception; null if it comes from neither the SDK nor the network.</summary>
    public static AttemptResponse? From(Exception exception) => From(exception, KindOf);

    /// <summary>Classifies an exception; null if it comes from neither the SDK nor the network.</summary>
    /// <param name="kindOf">What a status and sub-status mean.</param>
    public static AttemptResponse? From(Exception exception, Func<int, int, AttemptKind> kindOf) => exception switch
    {
        CosmosException e => new AttemptResponse(
            kindOf((int)e.StatusCode, e.SubStatusCode),
            (int)e.StatusCode,
            e.SubStatusCode,
            ChargeOf(e.RequestCharge),
            e.RetryAfter ?? default,
            ServiceText.Clean(e.ResponseBody) is { Length: > 0 } said ? said : e.StatusCode.ToString()),
        OperationCanceledException or HttpRequestException or IOException or SocketException or TimeoutException or WebException =>
            new AttemptResponse(
                AttemptKind.RetryUncertain, 0, 0, default, default, ServiceText.Clean(exception.GetBaseException().Message)),
        AggregateException { InnerException: { } inner } => From(inner, kindOf),
        _ => null,
    };

    private static TimeSpan RetryAfterOf(Headers headers) =>
        double.TryParse(headers[RetryAfterHeader], NumberStyles.Float, CultureInfo.InvariantCulture, out var milliseconds)
            && milliseconds is > 0 and < 3_600_000
            ? TimeSpan.FromMilliseconds(milliseconds)
            : default;
}

/// <param name="Status">0 if there was no response.</param>
/// <param name="SubStatus">0 if there is none.</param>
/// <param name="Reason">The innermost text of the service or the network, on one line; null or empty if there is none.</param>
public readonly record struct AttemptResponse(
    AttemptKind Kind, int Status, int SubStatus, RequestUnits RequestUnits, TimeSpan RetryAfter, string? Reason)
{
    /// <summary>For a query: the requests that the SDK sent since the last response, which have the charges.</summary>
    public QueryCalls? Calls { get; init; }

    /// <summary>
    /// For <see cref="AttemptKind.Throttled"/>: whether the operation may have been done nevertheless, such as after a time-out under load.
    /// </summary>
    public bool OutcomeUnknown { get; init; }

    /// <summary>Sub-statuses from here on come from the SDK: the account did not respond.</summary>
    private const int FirstClientSubStatus = 20_000;

    /// <summary>Whether the account itself responded.</summary>
    public bool FromAccount => Status != 0 && SubStatus < FirstClientSubStatus;

    /// <summary>Such as <c>429/3200</c>, or <c>400</c> without a sub-status.</summary>
    public string Code => SubStatus == 0 ? $"{Status}" : $"{Status}/{SubStatus}";
}

/// <summary>A pooled buffer that holds an operation's documents over all its attempts.</summary>
internal sealed class AttemptBuffer(int size) : IDisposable
{
    /// <summary>The buffer, at least as long as requested.</summary>
    public byte[] Bytes { get; private set; } = ArrayPool<byte>.Shared.Rent(size);

    /// <summary>
    /// After an exception the SDK may still read the buffer. It is left to the garbage collector, and its first bytes are copied to a new
    /// one.
    /// </summary>
    public void Abandon(int used)
    {
        var copy = ArrayPool<byte>.Shared.Rent(size);
        Bytes.AsSpan(0, used).CopyTo(copy);
        Bytes = copy;
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(Bytes);
        Bytes = [];
    }
}

/// <summary>The outcome of one attempt at an operation.</summary>
public enum AttemptKind
{
    /// <summary>This attempt succeeded: documents were written, read or deleted, or the last page of a query was read.</summary>
    Succeeded,

    /// <summary>The documents were already in the intended state: written, or deleted.</summary>
    AlreadyThere,

    /// <summary>A page was read, and there are more.</summary>
    Continued,

    /// <summary>
    /// 429, or a busy server of Table storage: retry after <see cref="AttemptResponse.RetryAfter"/>, or after a growing delay if that is
    /// missing.
    /// </summary>
    Throttled,

    /// <summary>The operation was not done; retry.</summary>
    Retry,

    /// <summary>The operation may have been done or not (time-out, broken connection, server error); retry.</summary>
    RetryUncertain,

    /// <summary>No retry can help these documents.</summary>
    Failed,

    /// <summary>The account rejects the client itself, so that no other operation can succeed either.</summary>
    Rejected,
}

/// <summary>
/// Receives every attempt of a leg, from many threads at once and between two operations of an operation loop. It must be cheap and never
/// throw.
/// </summary>
/// <param name="startedAt">When the operation was handed to the SDK, in the ticks of <see cref="LegClock.Now"/>.</param>
/// <param name="endedAt">When its response arrived.</param>
public delegate void AttemptObserver(in AttemptResponse response, long startedAt, long endedAt);
