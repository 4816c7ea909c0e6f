using System.Buffers;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>Says what a status means, and reads it from the forms in which the SDK gives it.</summary>
internal static class ResponseReading
{
    private const string SubStatusHeader = "x-ms-substatus";
    private const string RetryAfterHeader = "x-ms-retry-after-ms";

    /// <summary>What a status means for a create or an upsert.</summary>
    public static AttemptKind KindOf(int status, int subStatus) => status switch
    {
        201 => AttemptKind.Succeeded,
        200 or 409 => AttemptKind.AlreadyThere,
        429 => AttemptKind.Throttled,
        449 => AttemptKind.Retry,
        0 or 408 or 410 or >= 500 => AttemptKind.RetryUncertain,
        403 when subStatus == SubStatus.PartitionKeyFull => AttemptKind.Failed,
        // The account is failing over to another region.
        403 when AccountErrors.IsTransient(HttpStatusCode.Forbidden, subStatus) => AttemptKind.Retry,
        401 or 403 or 404 => AttemptKind.Rejected,
        _ => AttemptKind.Failed,
    };

    /// <summary>What a status means for a point read.</summary>
    public static AttemptKind KindOfRead(int status, int subStatus) => status switch
    {
        200 => AttemptKind.Succeeded,
        404 when subStatus == SubStatus.ReadSessionNotAvailable => AttemptKind.Retry,
        404 when subStatus != SubStatus.OwnerMissing => AttemptKind.Failed,
        _ => KindOf(status, subStatus),
    };

    /// <summary>What a status means for a delete: a document that is not there is as a delete would leave it.</summary>
    public static AttemptKind KindOfDelete(int status, int subStatus) => status switch
    {
        200 or 204 => AttemptKind.Succeeded,
        404 when subStatus == SubStatus.ReadSessionNotAvailable => AttemptKind.Retry,
        404 when subStatus != SubStatus.OwnerMissing => AttemptKind.AlreadyThere,
        409 => AttemptKind.Failed,
        _ => KindOf(status, subStatus),
    };

    /// <summary>What a status means for a page of a query: a query that the account does not take is taken of no document.</summary>
    public static AttemptKind KindOfPage(int status, int subStatus) => status switch
    {
        200 => AttemptKind.Continued,
        400 => AttemptKind.Rejected,
        404 when subStatus == SubStatus.ReadSessionNotAvailable => AttemptKind.Retry,
        _ => KindOf(status, subStatus),
    };

    /// <summary>What a stream response to a create or an upsert says.</summary>
    public static AttemptResponse From(ResponseMessage response)
    {
        var status = (int)response.StatusCode;
        return status == 201 ? new AttemptResponse(
            AttemptKind.Succeeded, status, 0, response.Headers.RequestCharge, default, null) : From(response, KindOf);
    }

    /// <summary>What a stream response says.</summary>
    /// <param name="kindOf">What a status and sub-status mean.</param>
    public static AttemptResponse From(ResponseMessage response, Func<int, int, AttemptKind> kindOf)
    {
        var status = (int)response.StatusCode;
        var charge = response.Headers.RequestCharge;
        var subStatus = SubStatusOf(response);
        return new AttemptResponse(
            kindOf(status, subStatus),
            status,
            subStatus,
            charge,
            RetryAfterOf(response.Headers),
            status is 409 or 429 ? null : response.ErrorMessage);
    }

    /// <summary>0 where the response has none.</summary>
    internal static int SubStatusOf(ResponseMessage response) =>
        int.TryParse(response.Headers[SubStatusHeader], NumberStyles.Integer, CultureInfo.InvariantCulture, out var parsed) ? parsed : 0;

    /// <summary>What an exception of the SDK or the network below it says; null for one that comes from neither.</summary>
    public static AttemptResponse? From(Exception exception) => From(exception, KindOf);

    /// <summary>What an exception of the SDK or the network below it says; null for one that comes from neither.</summary>
    /// <param name="kindOf">What a status and sub-status mean.</param>
    public static AttemptResponse? From(Exception exception, Func<int, int, AttemptKind> kindOf) => exception switch
    {
        CosmosException e => new AttemptResponse(
            kindOf((int)e.StatusCode, e.SubStatusCode),
            (int)e.StatusCode,
            e.SubStatusCode,
            e.RequestCharge,
            e.RetryAfter ?? default,
            e.ResponseBody is { Length: > 0 } body ? body : e.StatusCode.ToString()),
        OperationCanceledException or HttpRequestException or IOException or SocketException or TimeoutException or WebException =>
            new AttemptResponse(AttemptKind.RetryUncertain, 0, 0, 0, default, exception.Message),
        AggregateException { InnerException: { } inner } => From(inner, kindOf),
        _ => null,
    };

    private static TimeSpan RetryAfterOf(Headers headers) =>
        double.TryParse(headers[RetryAfterHeader], NumberStyles.Float, CultureInfo.InvariantCulture, out var milliseconds)
            && milliseconds is > 0 and < 3_600_000
            ? TimeSpan.FromMilliseconds(milliseconds)
            : default;
}

/// <summary>The response to one attempt.</summary>
/// <param name="Status">HTTP status; 0 when there was no response at all.</param>
/// <param name="SubStatus">Sub-status; 0 when there is none.</param>
/// <param name="RequestUnits">RU charged.</param>
/// <param name="RetryAfter">How long the account asks to wait.</param>
public readonly record struct AttemptResponse(
    AttemptKind Kind, int Status, int SubStatus, double RequestUnits, TimeSpan RetryAfter, string? Reason)
{
    /// <summary>Of a query: the requests that the SDK sent since the last response, which have the charges; null for all others.</summary>
    public QueryCalls? Calls { get; init; }

    /// <summary>Of <see cref="AttemptKind.Throttled"/>: whether it may have been done all the same, as what timed out under load.</summary>
    public bool OutcomeUnknown { get; init; }

    /// <summary>Sub-statuses from here on are the SDK's own: the account did not respond.</summary>
    private const int FirstClientSubStatus = 20_000;

    /// <summary>Whether the account itself responded.</summary>
    public bool FromAccount => Status != 0 && SubStatus < FirstClientSubStatus;

    /// <summary>Such as <c>429/3200</c>, or <c>400</c> without a sub-status.</summary>
    public string Code => SubStatus == 0 ? $"{Status}" : $"{Status}/{SubStatus}";
}

/// <summary>A pooled buffer that holds an operation's documents over all its attempts.</summary>
internal sealed class AttemptBuffer(int size) : IDisposable
{
    /// <summary>At least as long as asked.</summary>
    public byte[] Bytes { get; private set; } = ArrayPool<byte>.Shared.Rent(size);

    /// <summary>
    /// After an exception the SDK may still be reading the buffer: it is left to the garbage collector, and its first bytes go on in a
    /// copy.
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

/// <summary>What one attempt at an operation came to.</summary>
public enum AttemptKind
{
    /// <summary>Done by this attempt: documents were written, read or deleted, or the last page of a query was read.</summary>
    Succeeded,

    /// <summary>The documents were already as this attempt would have made them: written, or deleted.</summary>
    AlreadyThere,

    /// <summary>A page was read, and there are more: go on at once.</summary>
    Continued,

    /// <summary>
    /// 429, of Table storage also a busy server: try again after <see cref="AttemptResponse.RetryAfter"/>, or where that is not said after
    /// a delay that grows.
    /// </summary>
    Throttled,

    /// <summary>Not done; try again.</summary>
    Retry,

    /// <summary>Whether it was done is not known (time-out, broken connection, server error); try again.</summary>
    RetryUncertain,

    /// <summary>No retry can help these documents.</summary>
    Failed,

    /// <summary>The account rejects the client itself; nothing else will work either.</summary>
    Rejected,
}

/// <summary>
/// Receives every attempt of a leg, from many threads at once and between two operations of an operation loop: it must cost next to nothing
/// and never throw.
/// </summary>
public interface IAttemptObserver
{
    /// <param name="startedAt">When the operation was handed to the SDK, in the ticks of <see cref="LegClock.Now"/>.</param>
    /// <param name="endedAt">When its response was there.</param>
    void Observe(in AttemptResponse response, long startedAt, long endedAt);
}
