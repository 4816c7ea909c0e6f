using System.Text;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>A request's path, taken apart once and kept by the connection as long as its requests go there.</summary>
internal sealed class RequestTarget
{
    private RequestTarget(string method, string raw, ResourceKind kind, string[] segments)
    {
        Method = method;
        Raw = raw;
        Kind = kind;
        Database = Segment(1);
        Container = Segment(3);
        LastId = kind switch
        {
            ResourceKind.Document => Segment(5),
            ResourceKind.Offer => Segment(1),
            _ => null,
        };
        SigningPrefixes = Sign(segments);

        string? Segment(int index) => index < segments.Length && kind is not (ResourceKind.Offers or ResourceKind.Unknown) ? Uri.UnescapeDataString(segments[index]) : null;
    }

    public string Method { get; }

    public string Raw { get; }

    public ResourceKind Kind { get; }

    /// <summary>Name or resource id.</summary>
    public string? Database { get; }

    /// <summary>Name or resource id.</summary>
    public string? Container { get; }

    /// <summary>Id of the document or offer.</summary>
    public string? LastId { get; }

    /// <summary>Only of <see cref="ResourceKind.Addresses"/>.</summary>
    public AddressQuery? Addresses { get; private init; }

    /// <summary>
    /// What a signature may begin with, up to the date: verb, resource type and link. The link is the path by names, escaped or not as the
    /// client likes it, or only the resource id in lower case.
    /// </summary>
    public byte[][] SigningPrefixes { get; }

    /// <summary>The container and its state, remembered by the last request.</summary>
    public ContainerResource? ResolvedContainer { get; set; }

    public static RequestTarget Parse(string method, string raw)
    {
        string path = raw;
        if (Uri.TryCreate(raw, UriKind.Absolute, out Uri? absolute) && absolute.Scheme is "http" or "https")
            path = absolute!.AbsolutePath;
        int query = path.IndexOf('?');
        if (query >= 0)
            path = path[..query];
        string[] segments = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (segments is not ["addresses"])
            return new RequestTarget(method, raw, KindOf(segments), segments);
        // What the addresses are asked for is what is signed and found.
        AddressQuery addresses = AddressQuery.Parse(raw);
        return new RequestTarget(method, raw, ResourceKind.Addresses, addresses.ResolveFor) { Addresses = addresses };
    }

    private static ResourceKind KindOf(string[] segments) => segments switch
    {
        [] => ResourceKind.Account,
        ["dbs"] => ResourceKind.Databases,
        ["dbs", _] => ResourceKind.Database,
        ["dbs", _, "colls"] => ResourceKind.Containers,
        ["dbs", _, "colls", _] => ResourceKind.Container,
        ["dbs", _, "colls", _, "pkranges"] => ResourceKind.Ranges,
        ["dbs", _, "colls", _, "docs"] => ResourceKind.Documents,
        ["dbs", _, "colls", _, "docs", _] => ResourceKind.Document,
        ["offers"] => ResourceKind.Offers,
        ["offers", _] => ResourceKind.Offer,
        _ => ResourceKind.Unknown,
    };

    private byte[][] Sign(string[] segments)
    {
        bool isFeed = segments.Length % 2 == 1;
        string type = segments.Length == 0 ? "" : isFeed ? segments[^1] : segments[^2];
        string link = string.Join('/', isFeed ? segments[..^1] : segments);
        string rid = isFeed ? (segments.Length > 1 ? segments[^2] : "") : segments.Length > 0 ? segments[^1] : "";
        string[] links = [link, Uri.UnescapeDataString(link), Uri.UnescapeDataString(rid).ToLowerInvariant()];
#pragma warning disable CA1308 // The protocol signs lower case.
        return [.. links.Distinct().Select(one => Encoding.UTF8.GetBytes($"{Method.ToLowerInvariant()}\n{type.ToLowerInvariant()}\n{one}\n"))];
#pragma warning restore CA1308
    }
}
