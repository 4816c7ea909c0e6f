using System.Net.Security;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Checks within seconds whether an account's endpoint responds, and if not, why. The SDK would try for a minute and report a time-out.
/// </summary>
public static class AccountProbe
{
    private const int MaxAttempts = 3;
    private static readonly TimeSpan AttemptTimeout = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(300);

    /// <summary>Returns when the endpoint responded with any status. Takes at most 13 s.</summary>
    /// <param name="onRetry">Receives each error that is retried. Optional.</param>
    /// <param name="time">Null for the system's clock.</param>
    /// <exception cref="AccountException">It did not respond.</exception>
    public static async Task EnsureReachableAsync(
        AccountConnection account, CancellationToken cancellationToken, Func<Exception, Task>? onRetry = null, TimeProvider? time = null)
    {
        var (pin, isUntrusted) = (CertificatePin.From(account), false);
        using var handler = new SocketsHttpHandler { AllowAutoRedirect = false, UseProxy = AccountProxy.IsUsedFor(account.Endpoint) };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, errors) =>
        {
            var accepted = pin?.Accepts(certificate) ?? errors == SslPolicyErrors.None;
            isUntrusted |= !accepted;
            return accepted;
        };
        using var client = new HttpClient(handler) { Timeout = AttemptTimeout };

        for (var attempt = 1; ; attempt++)
        {
            try
            {
                using var response = await client.GetAsync(account.Endpoint, HttpCompletionOption.ResponseHeadersRead, cancellationToken);
                return;
            }
            catch (Exception e) when (e is HttpRequestException or TaskCanceledException && !cancellationToken.IsCancellationRequested)
            {
                var error = isUntrusted ? AccountErrors.Untrusted(account) : AccountErrors.Describe(e, account);
                error = error with { Message = error.Message + AccountProxy.Describe(account.Endpoint) };
                if (error.Kind == AccountErrorKind.Rejected || attempt == MaxAttempts)
                    throw new AccountException(error, e);
                // A rejected connection is retried within a second; only a missing response takes long enough to report.
                if (onRetry is not null && e is TaskCanceledException)
                    await onRetry(e);
            }

            await Task.Delay(Pause, time ?? TimeProvider.System, cancellationToken);
        }
    }
}

/// <summary>A client may weaken the account's consistency, but not strengthen it.</summary>
internal static class ConsistencyCheck
{
    public static ConsistencyLevel LevelOf(Microsoft.Azure.Cosmos.AccountProperties account) =>
        Enum.Parse<ConsistencyLevel>(account.Consistency.DefaultConsistencyLevel.ToString());

    /// <summary>One error for each place of the spec that asks for more than the account gives.</summary>
    public static IEnumerable<string> RejectionsOf(RunSpec spec, ConsistencyLevel ofAccount)
    {
        var asked = spec.WorkerOverrides
            .Select((entry, index) => (Path: $"workerOverrides[{index}].client.consistency", Level: entry.Client.Consistency))
            .Prepend((Path: "client.consistency", Level: spec.Client.Consistency));
        return asked
            .Where(item => item.Level is { } level && level < ofAccount)
            .Select(item => $"{item.Path}: {item.Level} is stronger than the account's {ofAccount}.");
    }
}

/// <summary>Checks client settings against the account's endpoint.</summary>
public static class EndpointCheck
{
    /// <summary>
    /// Returns one error for each setting that the account does not support. Direct connections always use TLS, so they need a certificate
    /// to trust. Only an account in Azure has regions.
    /// </summary>
    public static IEnumerable<string> ErrorsOf(RunSpec spec, AccountConnection account)
    {
        var clients = spec.WorkerOverrides
            .Select((entry, index) => (Path: $"workerOverrides[{index}].client", entry.Client))
            .Prepend((Path: "client", Client: spec.Client.Over(ClientSpec.Defaults)));
        var lacksTls = account.Endpoint.Scheme == Uri.UriSchemeHttp && account.CertificateThumbprint is null;
        foreach (var (path, client) in clients)
        {
            if (lacksTls && client.ConnectionMode == ConnectionMode.Direct)
                yield return $"{path}.connectionMode: Direct goes over TLS, and the account {account.Endpoint} is reached over http, "
                    + "where there is no certificate to trust: use Gateway, or an endpoint with https.";
            if (client.PreferredRegion is not null && !AzureEndpoints.Contains(account.Endpoint))
                yield return $"{path}.preferredRegion: {OneRegion(account)}.";
        }
    }

    internal static string OneRegion(AccountConnection account) => $"{account.Endpoint} is no account in Azure, and has no other regions";
}
