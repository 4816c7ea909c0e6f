namespace ScaleOut.Workers.Accounts;

/// <summary>
/// Whether an endpoint is one of Azure's own, public or sovereign, rather than that of an emulator or a simulated account.
/// </summary>
public static class AzureEndpoints
{
    private static readonly string[] Domains =
    [
        "documents.azure.com",
        "documents.azure.cn",
        "documents.azure.us",
        "documents.microsoftazure.de",
        "documents.cloudapi.de",
        "documents.azure.eaglex.ic.gov",
        "documents.azure.microsoft.scloud",
        "documents-test.windows-int.net",
        "documents-staging.windows-ppe.net",
        "cosmos.azure.com",
        "cosmos.azure.cn",
        "cosmos.azure.us",
    ];

    /// <summary>Whether the endpoint belongs to an account in Azure, its regional and dedicated gateway endpoints included.</summary>
    public static bool Contains(Uri endpoint)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        var host = endpoint.IdnHost.TrimEnd('.');
        return Domains.Any(domain => host.Equals(domain, StringComparison.OrdinalIgnoreCase)
            || host.EndsWith("." + domain, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Azure Resource Manager of the cloud that the account is in; the public one's for endpoints outside Azure.</summary>
    public static Uri ResourceManagerOf(Uri endpoint)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        var host = endpoint.IdnHost.TrimEnd('.');
        return new Uri(host switch
        {
            _ when host.EndsWith(".azure.cn", StringComparison.OrdinalIgnoreCase) => "https://management.chinacloudapi.cn/",
            _ when host.EndsWith(".azure.us", StringComparison.OrdinalIgnoreCase) => "https://management.usgovcloudapi.net/",
            _ => "https://management.azure.com/",
        });
    }
}
