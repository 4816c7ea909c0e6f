using Microsoft.AspNetCore.WebUtilities;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The operation and resource of a method and target. A connection keeps it while its requests have the same target.</summary>
internal sealed class GatewayRoute
{
    private readonly string _method;
    private readonly string _target;

    public GatewayRoute(string method, string target)
    {
        (_method, _target) = (method, target);
        (var path, var query) = Split(target);
        // Clients append the path to an endpoint that ends in a slash: //addresses/.
        var segments = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (segments is ["addresses"])
            segments = TakeAddresses(QueryHelpers.ParseQuery(query));
        else
            TakePath(segments = WithQuestionMark(segments, query));
        if (Error is null && Operation == OperationType.None)
            Error = RequestException.MethodNotAllowed();
        if (Document is not null && Document.AsSpan().ContainsAnyInRange('\0', '\x1F'))
            Error = RequestException.Unserved(ServiceStatus.BadRequest, "A path must not have control characters, escaped or not.");
        SigningPrefixes = Resource == ResourceType.PartitionKey ? Prefixes(method, segments[..^2]) : Prefixes(method, segments);
    }

    public ResourceType Resource { get; private set; }

    /// <summary>The operation by the method; headers of a POST may change it.</summary>
    public OperationType Operation { get; private set; }

    /// <summary>The error for an unserved path or method. The client gets it after it is authenticated.</summary>
    public RequestException? Error { get; private set; }

    public string? Database { get; private set; }

    public string? Container { get; private set; }

    /// <summary>Id of the document, offer or script.</summary>
    public string? Document { get; private set; }

    /// <summary>The ranges whose addresses the client asks for.</summary>
    public string? PartitionKeyRangeId { get; private set; }

    /// <summary>The texts that the signed text may begin with, up to the date.</summary>
    public ReadOnlyMemory<byte>[] SigningPrefixes { get; }

    public bool IsOf(string method, string target) => target == _target && method == _method;

    private static (string Path, string Query) Split(string target)
    {
        var isAbsolute = Uri.TryCreate(target, UriKind.Absolute, out var absolute) && absolute.Scheme is "http" or "https";
        var path = isAbsolute ? absolute!.PathAndQuery : target;
        var query = path.IndexOf('?', StringComparison.Ordinal);
        return query < 0 ? (path, "") : (path[..query], path[query..]);
    }

    /// <summary>Clients do not escape a question mark in a document's id, so that it looks like a query.</summary>
    private static string[] WithQuestionMark(string[] segments, string query) =>
        query.Length > 0 && segments is ["dbs", _, "colls", _, "docs", var document] ? [.. segments[..^1], document + query] : segments;

    private void TakePath(string[] segments)
    {
        Error = segments switch
        {
            [] => Take(ResourceType.Account),
            ["dbs"] => Take(ResourceType.Database),
            ["dbs", var database] => Take(ResourceType.Database, database),
            ["dbs", var database, "colls"] => Take(ResourceType.Container, database),
            ["dbs", var database, "colls", var container] => Take(ResourceType.Container, database, container),
            ["dbs", var database, "colls", var container, "pkranges"] => Take(ResourceType.PartitionKeyRange, database, container),
            ["dbs", var database, "colls", var container, "docs"] => Take(ResourceType.Document, database, container),
            ["dbs", var database, "colls", var container, "docs", var document] =>
                Take(ResourceType.Document, database, container, document),
            ["dbs", var database, "colls", var container, var feed] when ScriptFeed.Of(feed) is { } scripts =>
                Take(scripts.Resource, database, container),
            ["dbs", var database, "colls", var container, var feed, var script] when ScriptFeed.Of(feed) is { } scripts =>
                Take(scripts.Resource, database, container, script),
            ["dbs", var database, "colls", var container, "operations", "partitionkeydelete"] =>
                Take(ResourceType.PartitionKey, database, container),
            // A slash in a document's id: the path names nothing.
            ["dbs", _, "colls", _, "docs", _, _, ..] =>
                RequestException.Unserved(ServiceStatus.NotFound, RequestException.NotFound().Message),
            ["offers"] => Take(ResourceType.Offer),
            ["offers", var offer] => Take(ResourceType.Offer, document: offer),
            _ => UnservedResources.FindError(segments)
                ?? RequestException.Rejected("The resource of the request's path is not simulated."),
        };
        // Names of feeds alternate with names of their resources.
        if (Error is null)
            Operation = segments.Length % 2 == 1 ? OnFeed(Resource, _method) : OnOne(Resource, _method);
    }

    /// <summary>Takes the parts of a path. Returns null, which stands for no error.</summary>
    private RequestException? Take(ResourceType resource, string? database = null, string? container = null, string? document = null)
    {
        Resource = resource;
        Database = Unescape(database);
        Container = Unescape(container);
        Document = Unescape(document);
        return null;

        static string? Unescape(string? name) => name is null ? null : Uri.UnescapeDataString(name);
    }

    /// <summary>
    /// Takes the query of <c>addresses/?$resolveFor=...</c>: <c>dbs</c> for the partition that holds databases, or a container's
    /// <c>docs</c>. Returns it, because it is signed.
    /// </summary>
    private string[] TakeAddresses(Dictionary<string, StringValues> query)
    {
        Resource = ResourceType.Address;
        Operation = OnFeed(Resource, _method);
        PartitionKeyRangeId = query.GetValueOrDefault("$partitionKeyRangeIds").ToString();
        var segments = query.GetValueOrDefault("$resolveFor").ToString().Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (segments is ["dbs", var database, "colls", var container, "docs"])
            (Database, Container) = (database, container);
        else if (segments is not ["dbs"])
            Error = RequestException.BadRequest("$resolveFor must be dbs or the docs of a container.");
        return segments;
    }

    private static OperationType OnFeed(ResourceType resource, string method) => (method, resource) switch
    {
        ("GET", _) or ("POST", ResourceType.Offer) => OperationType.ReadFeed,
        ("POST", ResourceType.Database or ResourceType.Container or ResourceType.Document) => OperationType.Create,
        ("POST", ResourceType.StoredProcedure or ResourceType.Trigger or ResourceType.UserDefinedFunction) => OperationType.Create,
        _ => OperationType.None,
    };

    private static OperationType OnOne(ResourceType resource, string method) => (method, resource) switch
    {
        ("POST", ResourceType.PartitionKey) => OperationType.Delete,
        (_, ResourceType.PartitionKey) => OperationType.None,
        ("POST", ResourceType.StoredProcedure) => OperationType.Execute,
        ("GET", _) => OperationType.Read,
        ("PUT", ResourceType.Container or ResourceType.Document or ResourceType.Offer) => OperationType.Replace,
        ("PUT" or "DELETE", ResourceType.StoredProcedure or ResourceType.Trigger or ResourceType.UserDefinedFunction) =>
            method == "PUT" ? OperationType.Replace : OperationType.Delete,
        ("PATCH", ResourceType.Document) => OperationType.Patch,
        ("DELETE", ResourceType.Database or ResourceType.Container or ResourceType.Document) => OperationType.Delete,
        _ => OperationType.None,
    };

    /// <summary>
    /// The texts that the signed text may begin with: verb, resource type and link. The link is the path by names, unescaped, or only the
    /// resource id in lower case. For an operation on a container, such as the deletion of a partition key, clients sign the container.
    /// </summary>
    private static ReadOnlyMemory<byte>[] Prefixes(string method, string[] segments)
    {
        var isFeed = segments.Length % 2 == 1;
        var type = segments.Length == 0 ? "" : isFeed ? segments[^1] : segments[^2];
        var owner = isFeed ? segments[..^1] : segments;
        var link = string.Join('/', owner);
        // The protocol signs lower case.
        string[] links = [Uri.UnescapeDataString(link), Uri.UnescapeDataString(owner.LastOrDefault("")).ToLowerInvariant()];
        return [.. links.Distinct().Select(one => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(
            $"{method.ToLowerInvariant()}\n{type.ToLowerInvariant()}\n{one}\n"))];
    }
}
