namespace ScaleOut.Workers.Accounts;

/// <summary>Parses endpoints of accounts, and recognizes those of Azure's public and sovereign clouds.</summary>
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

    /// <summary>
    /// Reads an absolute http or https address; null if the text is not one. An address with a user, a query or a fragment is rejected,
    /// because a key in it would appear in reports.
    /// </summary>
    public static Uri? Parse(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var uri)
        && uri.Scheme is "http" or "https"
        && uri is { UserInfo: "", Query: "", Fragment: "" }
            ? uri
            : null;

    /// <summary>Whether the endpoint belongs to an account in Azure, its regional and dedicated gateway endpoints included.</summary>
    public static bool Contains(Uri endpoint)
    {
        var host = endpoint.IdnHost.TrimEnd('.');
        return Domains.Any(domain => host.Equals(domain, StringComparison.OrdinalIgnoreCase)
            || host.EndsWith("." + domain, StringComparison.OrdinalIgnoreCase));
    }
}
