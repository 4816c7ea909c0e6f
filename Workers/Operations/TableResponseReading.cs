using Azure;
using Azure.Identity;
using ScaleOut.Workers.Tables;

namespace ScaleOut.Workers.Operations;

/// <summary>Says what the status of an entity group transaction means, and reads it from the forms in which it comes.</summary>
internal static class TableResponseReading
{
    /// <summary>What a response says.</summary>
    public static AttemptResponse From(TransactionResponse response)
    {
        if (response.Error is not { } error)
            return new AttemptResponse(AttemptKind.Succeeded, response.Status, 0, 0, default, null);
        var kind = KindOf(response.Status, error);
        var reason = kind is AttemptKind.AlreadyThere or AttemptKind.Throttled ? null : $"{error.Code} {error.Text}".Trim();
        return new AttemptResponse(kind, response.Status, 0, 0, response.RetryAfter, reason)
        {
            OutcomeUnknown = error.Code == TableErrors.OperationTimedOut,
        };
    }

    /// <summary>What an exception of the network or the identity says; null for one that comes from neither.</summary>
    public static AttemptResponse? From(Exception exception) => exception switch
    {
        RequestFailedException { Status: > 0 } e => From(
            new TransactionResponse(e.Status, new TableError(e.ErrorCode, e.Message, Operation: null), TimeSpan.Zero)),
        RequestFailedException e =>
            new AttemptResponse(AttemptKind.RetryUncertain, 0, 0, 0, default, e.InnerException?.Message ?? e.Message),
        AuthenticationFailedException e => new AttemptResponse(AttemptKind.Retry, 0, 0, 0, default, e.Message),
        _ => ResponseReading.From(exception),
    };

    /// <summary>
    /// What a status means. A conflict on any entity but the first means that the batch is there in part, which a batch of a run never is.
    /// </summary>
    /// <param name="status">Of the operation that failed, or of the whole.</param>
    /// <param name="error">What the service says of it.</param>
    public static AttemptKind KindOf(int status, TableError error) => (status, error.Code) switch
    {
        (409, TableErrors.EntityAlreadyExists) when error.Operation is null or 0 => AttemptKind.AlreadyThere,
        (409, TableErrors.TableBeingDeleted) => AttemptKind.Rejected,
        (429, _) or (503, TableErrors.ServerBusy or null) or (500, TableErrors.OperationTimedOut) => AttemptKind.Throttled,
        (0 or 408 or >= 500, _) => AttemptKind.RetryUncertain,
        (401 or 403 or 404, _) => AttemptKind.Rejected,
        _ => AttemptKind.Failed,
    };
}
