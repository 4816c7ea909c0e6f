using ScaleOut.Specs;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Connections of the mode Direct go over TLS, whatever the account's endpoint does, so they need a certificate to trust.
/// </summary>
public static class ConnectionModeCheck
{
    /// <summary>One error for each place of the spec that asks for a mode that the account cannot be reached with.</summary>
    /// <param name="spec">The run's.</param>
    /// <param name="account">Where its documents go.</param>
    public static IEnumerable<string> ErrorsOf(RunSpec spec, AccountConnection account)
    {
        ArgumentNullException.ThrowIfNull(spec);
        ArgumentNullException.ThrowIfNull(account);
        if (account.Endpoint.Scheme != Uri.UriSchemeHttp || account.CertificateThumbprint is not null)
            return [];
        var asked = spec.WorkerOverrides
            .Select((entry, index) => (Path: $"workerOverrides[{index}].client.connectionMode", Mode: entry.Client.ConnectionMode))
            .Prepend((Path: "client.connectionMode", Mode: spec.Client.ConnectionMode));
        return asked
            .Where(item => item.Mode == ConnectionMode.Direct)
            .Select(item => $"{item.Path}: Direct goes over TLS, and the account {account.Endpoint} is reached over http, "
                + "where there is no certificate to trust: use Gateway, or an endpoint with https.");
    }
}
