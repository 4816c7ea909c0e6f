namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Finds out within seconds whether anything answers at an account's endpoint, and if not, why. The SDK would try for a minute and blame time-outs.
/// </summary>
internal static class AccountProbe
{
    private const int Attempts = 3;
    private static readonly TimeSpan AttemptTimeout = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(300);

    /// <summary>Returns when the endpoint answered with any status. Takes at most 13 s.</summary>
    /// <exception cref="AccountException">It did not.</exception>
    /// <param name="account">The account.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <param name="onRetry">Is told of what is tried again; null for nobody.</param>
    public static async Task EnsureReachableAsync(
        AccountConnection account, CancellationToken cancellationToken, Func<Exception, Task>? onRetry = null)
    {
        using var handler = new SocketsHttpHandler { AllowAutoRedirect = false };
        if (CertificatePin.Of(account) is { } pin)
            handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, _) => pin.Accepts(certificate);
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
                var fault = AccountErrors.Describe(e, account);
                if (fault.Kind == AccountFaultKind.Refused || attempt == Attempts)
                    throw new AccountException(fault, e);
                // A connection that is turned down is tried again within a second; one that is not answered costs all the time there is.
                if (onRetry is not null && e is TaskCanceledException)
                    await onRetry(e);
            }

            await Task.Delay(Pause, cancellationToken);
        }
    }
}
