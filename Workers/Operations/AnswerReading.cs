using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>Says what a status means for a write, and reads it from the forms in which the SDK gives it.</summary>
public static class AnswerReading
{
    private const string SubStatusHeader = "x-ms-substatus";
    private const string RetryAfterHeader = "x-ms-retry-after-ms";

    /// <summary>403 with this sub-status speaks of the document's partition key (its 20 GB are full), not of the client.</summary>
    private const int PartitionKeyFull = 1014;

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

    /// <summary>The answer in a stream response.</summary>
    public static AttemptAnswer Of(ResponseMessage response)
    {
        ArgumentNullException.ThrowIfNull(response);
        var status = (int)response.StatusCode;
        var charge = response.Headers.RequestCharge;
        if (status == 201)
            return new AttemptAnswer(AttemptKind.Put, status, 0, charge, default, null);

        var subStatus = int.TryParse(response.Headers[SubStatusHeader], NumberStyles.Integer, CultureInfo.InvariantCulture, out var parsed) ? parsed : 0;
        return new AttemptAnswer(KindOf(status, subStatus), status, subStatus, charge, RetryAfterOf(response.Headers), status is 409 or 429 ? null : response.ErrorMessage);
    }

    /// <summary>The answer in an exception of the SDK or the network below it; null for one that speaks of neither.</summary>
    public static AttemptAnswer? Of(Exception exception) => exception switch
    {
        CosmosException e => new AttemptAnswer(
            KindOf((int)e.StatusCode, e.SubStatusCode), (int)e.StatusCode, e.SubStatusCode, e.RequestCharge, e.RetryAfter ?? default, e.ResponseBody is { Length: > 0 } body ? body : e.StatusCode.ToString()),
        OperationCanceledException or HttpRequestException or IOException or SocketException or TimeoutException or WebException =>
            new AttemptAnswer(AttemptKind.RetryUncertain, 0, 0, 0, default, exception.Message),
        AggregateException { InnerException: { } inner } => Of(inner),
        _ => null,
    };

    private static TimeSpan RetryAfterOf(Headers headers) =>
        double.TryParse(headers[RetryAfterHeader], NumberStyles.Float, CultureInfo.InvariantCulture, out var milliseconds) && milliseconds is > 0 and < 3_600_000
            ? TimeSpan.FromMilliseconds(milliseconds)
            : default;
}
