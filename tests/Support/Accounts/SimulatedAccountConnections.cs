namespace ScaleOut.Tests.Support.Accounts;

internal static class SimulatedAccountConnections
{
    /// <summary>How workers reach an account of this process.</summary>
    public static AccountConnection Connection(this SimulatedAccount account) => new()
    {
        Endpoint = account.HttpsEndpoint, Key = account.Key, CertificateThumbprint = account.CertificateThumbprint, Simulated = true,
    };
}
