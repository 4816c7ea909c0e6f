using System.Text.Json;
using Azure;
using Azure.Identity;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Tables;

/// <summary>Says what an error of Table storage means, for people and for retries. No sentence has a key or a token in it.</summary>
internal static class TableErrors
{
    public const string TableAlreadyExists = "TableAlreadyExists";
    public const string TableBeingDeleted = "TableBeingDeleted";
    public const string EntityAlreadyExists = "EntityAlreadyExists";
    public const string ServerBusy = "ServerBusy";
    public const string OperationTimedOut = "OperationTimedOut";

    /// <summary>What an exception means that came in the place of a response.</summary>
    public static AccountError Describe(Exception error, TableAccount account)
    {
        for (var inner = error; inner is not null; inner = inner.InnerException)
        {
            if (inner is AuthenticationFailedException)
                return new AccountError(
                    AccountErrorKind.Rejected,
                    $"No identity for the table account {account.Endpoint}: give its connection string in {TableAccount.Setting}, sign in "
                    + "(az login), or assign a managed identity.");
        }

        // The sentences about a way that is blocked are the same for every account.
        return AccountErrors.Describe(
            error is RequestFailedException { InnerException: { } cause } ? cause : error,
            new AccountConnection { Endpoint = account.Endpoint });
    }

    /// <summary>What a response means that is not the one hoped for.</summary>
    public static AccountError Describe(int status, TableError error, TableAccount account)
    {
        var code = error.Code is { } word ? $"{status} {word}" : $"{status}";
        var said = error.Text.Length == 0 ? "." : $": {error.Text}";
        if (status is 408 or 429 or >= 500 || error.Code == TableBeingDeleted)
            return new AccountError(AccountErrorKind.Transient, $"The table account {account.Endpoint} is not ready ({code}){said}");
        return new AccountError(AccountErrorKind.Rejected, status switch
        {
            // The service's own text shows what was signed.
            401 or 403 when account.Key is not null =>
                $"The table account {account.Endpoint} rejects the key ({code}): it is wrong, was regenerated, keys are turned off, or "
                + "this machine's clock is off.",
            401 or 403 =>
                $"The table account {account.Endpoint} forbids this to the identity ({code}): it needs the role Storage Table Data "
                + "Contributor.",
            404 => $"The table account {account.Endpoint} has no such table ({code}).",
            _ => $"The table account {account.Endpoint} rejects this ({code}){said}",
        });
    }
}

/// <summary>What the service says of an error.</summary>
/// <param name="Code">Such as <c>EntityAlreadyExists</c>; null where it says none.</param>
/// <param name="Text">The first line of its message, without the number of the operation; may be empty.</param>
/// <param name="Operation">The operation of a transaction that failed, from 0; null where it is not said.</param>
internal sealed record TableError(string? Code, string Text, int? Operation)
{
    private static readonly TableError Unknown = new(Code: null, "", Operation: null);

    /// <summary>Reads it from a response; of a good one there is none.</summary>
    public static TableError From(Response response)
    {
        var read = response.ContentStream is null ? Unknown : From(response.Content.ToMemory().Span);
        return read.Code is null && response.Headers.TryGetValue("x-ms-error-code", out var code) ? read with { Code = code } : read;
    }

    /// <summary>Reads it from <c>{"odata.error": {"code": ..., "message": {"value": "0:..."}}}</c>.</summary>
    public static TableError From(ReadOnlySpan<byte> body)
    {
        try
        {
            var reader = new Utf8JsonReader(body);
            using var document = JsonDocument.ParseValue(ref reader);
            var root = document.RootElement;
            if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("odata.error", out var error))
                return Unknown;
            var code = error.TryGetProperty("code", out var word) ? word.GetString() : null;
            var text = error.TryGetProperty("message", out var message) && message.ValueKind == JsonValueKind.Object
                && message.TryGetProperty("value", out var value) ? value.GetString() ?? "" : "";
            text = text.Split('\n')[0].Trim();
            return text.Split(':', 2) is [var number, var rest] && int.TryParse(number, out var operation)
                ? new TableError(code, rest, operation)
                : new TableError(code, text, Operation: null);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            return Unknown;
        }
    }
}
