namespace ScaleOut.DevBox.Accounts;

/// <summary>What <c>account</c> prints when the account takes requests: how to reach it.</summary>
internal static class AccountReadiness
{
    /// <summary>For people.</summary>
    public static string Text(SimulatedAccount account, string? dataFolder) => $"""
        The simulated account is running. Ctrl+C ends it{DataSuffix(dataFolder)}.
          endpoint     {account.HttpsEndpoint}
          over HTTP    {account.HttpEndpoint}
          key          {account.Key}
          certificate  SHA-256 {account.CertificateThumbprint}
          ledger       {new Uri(account.ControlEndpoint, "ledger")}
        """;

    /// <summary>For programs: one line of JSON.</summary>
    public static string Line(SimulatedAccount account) => JsonSerializer.Serialize(
        new
        {
            status = "ready",
            endpoint = account.HttpsEndpoint,
            httpEndpoint = account.HttpEndpoint,
            key = account.Key,
            certificateSha256 = account.CertificateThumbprint,
            certificatePem = account.Certificate.ExportCertificatePem(),
            health = new Uri(account.HttpEndpoint, "health"),
            control = account.ControlEndpoint,
        },
        ScaleOutJson.Compact);

    private static string DataSuffix(string? folder) =>
        folder is null ? ", and its documents with it" : $" and writes its data to {folder}";
}
