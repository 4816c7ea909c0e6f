using Azure;
using Azure.Data.Tables;
using Azure.Data.Tables.Models;
using Azure.Identity;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Tables;

/// <summary>Says what an error of Table storage means, for people and for retries. No sentence has a key or a token in it.</summary>
internal static class TableErrors
{
    /// <summary>The code of a server that is busy; the library does not name it.</summary>
    private const string ServerBusy = "ServerBusy";

    /// <summary>What an error means to the preparation of a run and to its end.</summary>
    public static AccountError Describe(Exception error, TableAccount account)
    {
        for (var inner = error; inner is not null; inner = inner.InnerException)
        {
            if (inner is AuthenticationFailedException)
                return new AccountError(
                    AccountErrorKind.Rejected,
                    $"No identity for the table account {account.Endpoint}: give its connection string in {TableAccount.Setting}, sign in "
                    + "(az login), or assign a managed identity.");
            if (inner is RequestFailedException { Status: > 0 } response)
                return Describe(response, account);
        }

        // The sentences about a way that is blocked are the same for every account.
        return AccountErrors.Describe(
            error is RequestFailedException { InnerException: { } cause } ? cause : error,
            new AccountConnection { Endpoint = account.Endpoint });
    }

    /// <summary>What an error means to an entity group transaction; null for one that is neither the service's nor the network's.</summary>
    public static AttemptResponse? Read(Exception error) => error switch
    {
        RequestFailedException { Status: > 0 } e => Read(e),
        RequestFailedException e =>
            new AttemptResponse(AttemptKind.RetryUncertain, 0, 0, 0, default, e.InnerException?.Message ?? e.Message),
        AuthenticationFailedException e => new AttemptResponse(AttemptKind.Retry, 0, 0, 0, default, e.Message),
        _ => ResponseReading.From(error),
    };

    /// <summary>
    /// What a status means. A conflict on any entity but the first means that the batch is there in part, which a batch of a run never is.
    /// </summary>
    /// <param name="status">Of the entity that failed, or of the whole.</param>
    /// <param name="code">The service's code; null where it says none.</param>
    /// <param name="entity">The entity that failed, from 0; null where it is not said.</param>
    public static AttemptKind KindOf(int status, string? code, int? entity) => (status, code) switch
    {
        (409, _) when code == TableErrorCode.EntityAlreadyExists && entity is null or 0 => AttemptKind.AlreadyThere,
        (409, _) when code == TableErrorCode.TableBeingDeleted => AttemptKind.Rejected,
        (429, _) or (503, ServerBusy or null) => AttemptKind.Throttled,
        (500, _) when code == TableErrorCode.OperationTimedOut => AttemptKind.Throttled,
        (408 or >= 500, _) => AttemptKind.RetryUncertain,
        (401 or 403 or 404, _) => AttemptKind.Rejected,
        _ => AttemptKind.Failed,
    };

    private static AttemptResponse Read(RequestFailedException error)
    {
        var kind = KindOf(error.Status, error.ErrorCode, (error as TableTransactionFailedException)?.FailedTransactionActionIndex);
        var reason = kind is AttemptKind.AlreadyThere or AttemptKind.Throttled ? null : $"{error.ErrorCode} {TextOf(error)}".Trim();
        var retryAfter = error.GetRawResponse()?.Headers.TryGetValue("Retry-After", out var text) == true
            && int.TryParse(text, out var seconds) && seconds > 0 ? TimeSpan.FromSeconds(seconds) : TimeSpan.Zero;
        return new AttemptResponse(kind, error.Status, 0, 0, retryAfter, reason)
        {
            OutcomeUnknown = error.ErrorCode == TableErrorCode.OperationTimedOut,
        };
    }

    private static AccountError Describe(RequestFailedException error, TableAccount account)
    {
        var code = error.ErrorCode is { } word ? $"{error.Status} {word}" : $"{error.Status}";
        if (error.Status is 408 or 429 or >= 500 || error.ErrorCode == TableErrorCode.TableBeingDeleted)
            return new AccountError(
                AccountErrorKind.Transient, $"The table account {account.Endpoint} is not ready ({code}): {TextOf(error)}");
        return new AccountError(AccountErrorKind.Rejected, error.Status switch
        {
            // The service's own text shows what was signed.
            401 or 403 when account.Key is not null =>
                $"The table account {account.Endpoint} rejects the key ({code}): it is wrong, was regenerated, keys are turned off, or "
                + "this machine's clock is off.",
            401 or 403 =>
                $"The table account {account.Endpoint} forbids this to the identity ({code}): it needs the role Storage Table Data "
                + "Contributor.",
            404 => $"The table account {account.Endpoint} has no such table ({code}).",
            _ => $"The table account {account.Endpoint} rejects this ({code}): {TextOf(error)}",
        });
    }

    /// <summary>The first line of the service's text, without the number of the entity before it.</summary>
    private static string TextOf(RequestFailedException error)
    {
        var line = error.Message.Split('\n')[0].Trim();
        return line.Split(':', 2) is [var number, var rest] && int.TryParse(number, out _) ? rest : line;
    }
}
