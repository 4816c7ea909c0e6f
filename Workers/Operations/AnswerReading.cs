using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>Says what a status means, and reads it from the forms in which the SDK gives it.</summary>
public static class AnswerReading
{
    private const string SubStatusHeader = "x-ms-substatus";
    private const string RetryAfterHeader = "x-ms-retry-after-ms";

    /// <summary>403 with this sub-status speaks of the document's partition key (its 20 GB are full), not of the client.</summary>
    private const int PartitionKeyFull = 1014;

    /// <summary>404 with this sub-status speaks of the container, not of a document.</summary>
    private const int OwnerMissing = 1003;

    /// <summary>404 with this sub-status: the replica has not yet seen what the session has.</summary>
    private const int SessionNotAvailable = 1002;

    /// <summary>What a status means for a create or an upsert.</summary>
    public static AttemptKind KindOf(int status, int subStatus) => status switch
    {
        201 => AttemptKind.Put,
        200 or 409 => AttemptKind.AlreadyThere,
        429 => AttemptKind.Throttled,
        449 => AttemptKind.Retry,
        0 or 408 or 410 or >= 500 => AttemptKind.RetryUncertain,
        403 when subStatus == PartitionKeyFull => AttemptKind.Failed,
        401 or 403 or 404 => AttemptKind.Refused,
        _ => AttemptKind.Failed,
    };

    /// <summary>What a status means for a point read.</summary>
    public static AttemptKind KindOfRead(int status, int subStatus) => status switch
    {
        200 => AttemptKind.Put,
        404 when subStatus == SessionNotAvailable => AttemptKind.Retry,
        404 when subStatus != OwnerMissing => AttemptKind.Failed,
        _ => KindOf(status, subStatus),
    };

    /// <summary>What a status means for a delete: a document that is not there is as a delete would leave it.</summary>
    public static AttemptKind KindOfDelete(int status, int subStatus) => status switch
    {
        200 or 204 => AttemptKind.Put,
        404 when subStatus == SessionNotAvailable => AttemptKind.Retry,
        404 when subStatus != OwnerMissing => AttemptKind.AlreadyThere,
        409 => AttemptKind.Failed,
        _ => KindOf(status, subStatus),
    };

    /// <summary>What a status means for a page of a query: a query that the account does not take is taken of no document.</summary>
    public static AttemptKind KindOfPage(int status, int subStatus) => status switch
    {
        200 => AttemptKind.Continued,
        400 => AttemptKind.Refused,
        404 when subStatus == SessionNotAvailable => AttemptKind.Retry,
        _ => KindOf(status, subStatus),
    };

    /// <summary>The answer in a stream response to a create or an upsert.</summary>
    public static AttemptAnswer Of(ResponseMessage response)
    {
        ArgumentNullException.ThrowIfNull(response);
        var status = (int)response.StatusCode;
        return status == 201 ? new AttemptAnswer(AttemptKind.Put, status, 0, response.Headers.RequestCharge, default, null) : Of(response, KindOf);
    }

    /// <summary>The answer in a stream response.</summary>
    /// <param name="response">What the SDK gave.</param>
    /// <param name="kindOf">What a status and sub-status mean.</param>
    public static AttemptAnswer Of(ResponseMessage response, Func<int, int, AttemptKind> kindOf)
    {
        ArgumentNullException.ThrowIfNull(response);
        ArgumentNullException.ThrowIfNull(kindOf);
        var status = (int)response.StatusCode;
        var charge = response.Headers.RequestCharge;

        var subStatus = int.TryParse(response.Headers[SubStatusHeader], NumberStyles.Integer, CultureInfo.InvariantCulture, out var parsed) ? parsed : 0;
        return new AttemptAnswer(kindOf(status, subStatus), status, subStatus, charge, RetryAfterOf(response.Headers), status is 409 or 429 ? null : response.ErrorMessage);
    }

    /// <summary>The answer in an exception of the SDK or the network below it; null for one that speaks of neither.</summary>
    public static AttemptAnswer? Of(Exception exception) => Of(exception, KindOf);

    /// <summary>The answer in an exception of the SDK or the network below it; null for one that speaks of neither.</summary>
    /// <param name="exception">What was thrown.</param>
    /// <param name="kindOf">What a status and sub-status mean.</param>
    public static AttemptAnswer? Of(Exception exception, Func<int, int, AttemptKind> kindOf) => exception switch
    {
        CosmosException e => new AttemptAnswer(
            kindOf((int)e.StatusCode, e.SubStatusCode), (int)e.StatusCode, e.SubStatusCode, e.RequestCharge, e.RetryAfter ?? default, e.ResponseBody is { Length: > 0 } body ? body : e.StatusCode.ToString()),
        OperationCanceledException or HttpRequestException or IOException or SocketException or TimeoutException or WebException =>
            new AttemptAnswer(AttemptKind.RetryUncertain, 0, 0, 0, default, exception.Message),
        AggregateException { InnerException: { } inner } => Of(inner, kindOf),
        _ => null,
    };

    private static TimeSpan RetryAfterOf(Headers headers) =>
        double.TryParse(headers[RetryAfterHeader], NumberStyles.Float, CultureInfo.InvariantCulture, out var milliseconds) && milliseconds is > 0 and < 3_600_000
            ? TimeSpan.FromMilliseconds(milliseconds)
            : default;
}
