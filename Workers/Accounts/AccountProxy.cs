namespace ScaleOut.Workers.Accounts;

/// <summary>Proxies that the environment of this process sets (<c>HTTPS_PROXY</c> and others), or the system.</summary>
internal static class AccountProxy
{
    /// <summary>Bypasses all proxies. It is used for loopback endpoints, which a proxy cannot reach.</summary>
    public static readonly IWebProxy None = new WebProxy();

    /// <summary>Whether requests to an endpoint may go through a proxy.</summary>
    public static bool IsUsedFor(Uri endpoint) => !endpoint.IsLoopback;

    /// <summary>A sentence that names the proxy of an endpoint, without its user and password; empty if there is none.</summary>
    public static string Describe(Uri endpoint) =>
        IsUsedFor(endpoint) && !HttpClient.DefaultProxy.IsBypassed(endpoint) && HttpClient.DefaultProxy.GetProxy(endpoint) is { } proxy
            ? $" Requests to it go through the proxy {proxy.Scheme}://{proxy.Authority}, which HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names; "
                + "NO_PROXY lists the hosts that are reached without it."
            : "";
}
