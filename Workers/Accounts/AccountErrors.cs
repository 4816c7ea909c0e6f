using System.Security.Authentication;
using Azure.Identity;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Classifies errors of an account: a message of one sentence, and whether to retry. The sentence names the endpoint, never a key or a
/// token.
/// </summary>
public static class AccountErrors
{
    private static readonly AccountConnection Placeholder = new() { Endpoint = new Uri("https://account/") };

    /// <summary>Whether the error comes from the account, the network or the identity, and not from a bug in this program.</summary>
    public static bool IsAccountError(Exception error) =>
        error is CosmosException or AccountException or RequestFailedException or AuthenticationFailedException
            or HttpRequestException or SocketException or AuthenticationException or OperationCanceledException or TimeoutException
            or Newtonsoft.Json.JsonException or System.Text.Json.JsonException;

    /// <summary>Whether an operation that got this status may succeed a little later.</summary>
    /// <param name="subStatus">0 if there is none.</param>
    public static bool IsTransient(HttpStatusCode status, int subStatus) => (int)status switch
    {
        408 or 410 or 423 or 429 or 449 or >= 500 => true,
        // The session's write or the new container has not reached this replica yet.
        404 => subStatus is SubStatus.ReadSessionNotAvailable or SubStatus.ContainerCreateInProgress,
        // The account is failing over to another region.
        403 => subStatus is SubStatus.WriteForbidden or SubStatus.AccountNotFound,
        _ => false,
    };

    /// <summary>Whether a call that failed with this error may succeed a little later.</summary>
    public static bool IsTransient(Exception error) =>
        IsAccountError(error) && Describe(error, Placeholder).Kind == AccountErrorKind.Transient;

    /// <summary>
    /// Whether the identity lacks a role, or Azure does not know the app's managed identity. A role that was just assigned and an identity
    /// that was just created take some minutes to work, and until then the error is the same. The account's data plane reports a role by
    /// the sub-statuses 53xx, Azure Resource Manager and storage by an error code. A wrong key or a firewall gives another 403.
    /// </summary>
    public static bool MayBeLateRole(Exception error) => MayBeLateRole(error, HasManagedIdentity);

    /// <param name="hasManagedIdentity">
    /// Whether the platform gives the app an identity. If not, somebody has to sign in, which waiting does not change.
    /// </param>
    internal static bool MayBeLateRole(Exception error, bool hasManagedIdentity) => Chain(error).Any(inner => inner is
        CosmosException { StatusCode: HttpStatusCode.Forbidden, SubStatusCode: >= SubStatus.FirstOfRoles and <= SubStatus.LastOfRoles }
        or RequestFailedException { Status: 403, ErrorCode: "AuthorizationFailed" or "AuthorizationPermissionMismatch" }
        || (hasManagedIdentity && inner is AuthenticationFailedException));

    /// <summary>Azure Functions and App Service set this for an app with a managed identity.</summary>
    private static bool HasManagedIdentity => Environment.GetEnvironmentVariable("IDENTITY_ENDPOINT") is { Length: > 0 };

    /// <summary>What an error means. An exception that does not come from an account is described by its type.</summary>
    public static AccountError Describe(Exception error, AccountConnection account) => Chain(error).Any(IsCertificateError)
        ? Untrusted(account)
        : error switch
        {
            AccountException known => new AccountError(known.Kind, ServiceText.Clean(known.Message, account)),
            _ when Chain(error).OfType<AuthenticationFailedException>().FirstOrDefault() is { } failed => Identity(failed, account),
            CosmosException cosmos when Chain(cosmos).OfType<HttpRequestException>().FirstOrDefault() is { } inner =>
                Transport(inner, account),
            CosmosException cosmos => Describe(cosmos.StatusCode, cosmos.SubStatusCode, cosmos.ResponseBody, account),
            RequestFailedException { Status: > 0 } failed => ResourceManager(failed, account),
            _ when Chain(error).Any(
                inner => inner is HttpRequestException or SocketException or AuthenticationException) => Transport(error, account),
            OperationCanceledException or TimeoutException => Transient($"The account {account.Endpoint} did not respond in time."),
            Newtonsoft.Json.JsonException or System.Text.Json.JsonException => Rejected(
                $"{account.Endpoint} does not respond like a Cosmos DB account."),
            _ => Rejected(
                $"The account {account.Endpoint} could not be used: {ServiceText.Clean(error.Message, account)} ({error.GetType().Name})."),
        };

    /// <param name="subStatus">0 if there is none.</param>
    /// <param name="serviceText">The text of the service, if any.</param>
    public static AccountError Describe(HttpStatusCode status, int subStatus, string? serviceText, AccountConnection account)
    {
        var code = subStatus == 0 ? $"{(int)status}" : $"{(int)status}/{subStatus}";
        var said = ServiceText.Clean(serviceText, account);
        var detail = said.Length == 0 ? "." : $": {said}";
        if (IsTransient(status, subStatus))
            return Transient(status switch
            {
                HttpStatusCode.TooManyRequests => $"The account {account.Endpoint} throttles ({code}).",
                HttpStatusCode.RequestTimeout => $"The account {account.Endpoint} did not respond in time ({code}).",
                _ => $"The account {account.Endpoint} is not ready ({code}){detail}",
            });
        return Rejected(status switch
        {
            // The service's text for 401 shows what was signed, which does not help.
            HttpStatusCode.Unauthorized when account.Key is not null =>
                $"The account {account.Endpoint} rejects the key ({code}): it is wrong, was regenerated, or this machine's clock is off.",
            HttpStatusCode.Unauthorized => $"The account {account.Endpoint} rejects this identity's token ({code}).",
            HttpStatusCode.Forbidden when said.Contains("not valid at the current time", StringComparison.OrdinalIgnoreCase) =>
                $"The account {account.Endpoint} rejects the request's date ({code}): this machine's clock is off. Set it right.",
            HttpStatusCode.Forbidden => $"The account {account.Endpoint} forbids this ({code}){detail}",
            HttpStatusCode.NotFound => $"The account {account.Endpoint} has no such database, container or document ({code}).",
            _ => $"The account {account.Endpoint} rejects this ({code}){detail}",
        });
    }

    private static AccountError ResourceManager(RequestFailedException failed, AccountConnection account)
    {
        var code = failed.ErrorCode is { } word ? $" {word}" : "";
        var text = $"Azure Resource Manager responded with {failed.Status}{code}: {ServiceText.Clean(failed.Message, account)}";
        if (failed.Status == 403)
            text += " The identity needs the right to create and delete containers in that database; "
                + "an app deployed by azd has it in the database 'scaleout' only.";
        // 412 means that another change of the account is under way.
        return failed.Status is 408 or 412 or 429 or >= 500 ? Transient(text) : Rejected(text);
    }

    private static AccountError Identity(AuthenticationFailedException failed, AccountConnection account)
    {
        var isTransient = Chain(failed).Any(
            inner => inner is HttpRequestException or SocketException or RequestFailedException { Status: 408 or 429 or >= 500 });
        return isTransient
            ? Transient($"No token for the account {account.Endpoint} could be obtained just now.")
            : Rejected($"No identity for the account {account.Endpoint}: give its key in COSMOS_KEY, sign in (az login), "
            + "or assign a managed identity.");
    }

    private static AccountError Transport(Exception error, AccountConnection account)
    {
        var socket = Chain(error).OfType<SocketException>().FirstOrDefault()?.SocketErrorCode;
        var request = Chain(error).OfType<HttpRequestException>().FirstOrDefault()?.HttpRequestError;
        return Transient((socket, request) switch
        {
            (SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain, _) or (_, HttpRequestError.NameResolutionError) =>
                $"The account {account.Endpoint} cannot be reached: there is no host {account.Endpoint.Host}.",
            (SocketError.ConnectionRefused, _) => $"The account {account.Endpoint} cannot be reached: nothing listens at that port.",
            (SocketError.TimedOut or SocketError.HostUnreachable or SocketError.NetworkUnreachable, _) =>
                $"The account {account.Endpoint} cannot be reached: there is no route to that host, or a firewall blocks it.",
            (_, HttpRequestError.SecureConnectionError) or (null, null) =>
                $"The account {account.Endpoint} cannot be reached: no TLS could be agreed on (is it http rather than https?).",
            (_, HttpRequestError.InvalidResponse) =>
                $"The account {account.Endpoint} cannot be reached: that port does not speak HTTP (is it https rather than http?).",
            _ => $"The connection to the account {account.Endpoint} broke.",
        });
    }

    /// <summary>
    /// Whether the certificate was rejected. A failed TLS handshake throws the same type of exception for all reasons, so only the
    /// runtime's (English) text identifies this one.
    /// </summary>
    private static bool IsCertificateError(Exception error) =>
        error is AuthenticationException && error.Message.Contains("certificate", StringComparison.OrdinalIgnoreCase);

    /// <summary>The account's certificate was rejected.</summary>
    internal static AccountError Untrusted(AccountConnection account) => Rejected(account.CertificateThumbprint is null
        ? $"The certificate of {account.Endpoint} is not trusted; for an emulator give its SHA-256 as --account-thumbprint."
        : $"The certificate of {account.Endpoint} is not the one of the given thumbprint.");

    private static IEnumerable<Exception> Chain(Exception error)
    {
        for (var current = error; current is not null; current = current.InnerException)
        {
            yield return current;
            if (current is AggregateException aggregate)
            {
                foreach (var inner in aggregate.InnerExceptions.SelectMany(Chain))
                    yield return inner;
            }
        }
    }

    internal static AccountError Transient(string message) => new(AccountErrorKind.Transient, message);

    internal static AccountError Rejected(string message) => new(AccountErrorKind.Rejected, message);
}

/// <summary>What went wrong with an account, for people and for retries.</summary>
/// <param name="Message">One sentence without keys, tokens or stack traces.</param>
public sealed record AccountError(AccountErrorKind Kind, string Message);

public enum AccountErrorKind
{
    /// <summary>The same call may succeed a little later: throttled, timed out, unavailable, no connection.</summary>
    Transient,

    /// <summary>
    /// The same call fails until somebody changes something: the key is wrong, a right or a resource is missing, the request is invalid.
    /// </summary>
    Rejected,
}

/// <summary>An account cannot be used as asked. Its message is one sentence for people, and holds no key and no token.</summary>
public sealed class AccountException(AccountError error, Exception? innerException = null) : Exception(error.Message, innerException)
{
    public AccountException(string message, Exception? innerException = null)
        : this(AccountErrors.Rejected(message), innerException)
    {
    }

    public AccountErrorKind Kind => error.Kind;

    /// <summary>An error with what it kept from being done, such as <c>The container a/b could not be created</c>.</summary>
    public static AccountException From(string what, Exception error, AccountConnection account)
    {
        var described = AccountErrors.Describe(error, account);
        return new(described with { Message = $"{what}: {described.Message}" }, error);
    }
}
