namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// Features of the service that are not simulated. Requests for them are rejected by name before they are authenticated: with 404 for one
/// resource, because there is none, and with 405 for anything else.
/// </summary>
internal static class UnservedResources
{
    private static readonly (string Path, ushort Number, string Name)[] All =
    [
        ("attachments", 0x4, "Attachments"), ("users", 0x5, "Users"), ("permissions", 0x6, "Permissions"), ("conflicts", 0x8, "Conflicts"),
        // Only over HTTP.
        ("clientencryptionkeys", 0, "Client encryption keys"),
    ];

    /// <summary>The error for a path; null for an unknown one.</summary>
    public static RequestException? FindError(string[] segments)
    {
        // Names of feeds alternate with names of their resources.
        var isFeed = segments.Length % 2 == 1;
        var path = segments.Length < 3 ? null : isFeed ? segments[^1] : segments[^2];
        return path is not null && All.FirstOrDefault(one => one.Path == path).Name is { } name ? ErrorOf(name, isFeed) : null;
    }

    /// <summary>The error for a request of the Direct protocol.</summary>
    public static RequestException ErrorOf(ResourceType resource, OperationType operation)
    {
        var isFeed = operation is OperationType.Create or OperationType.ReadFeed or OperationType.Query or OperationType.SqlQuery;
        return resource != 0 && All.FirstOrDefault(one => one.Number == (ushort)resource).Name is { } name
            ? ErrorOf(name, isFeed)
            : RequestException.Unserved(
                ServiceStatus.MethodNotAllowed,
                $"Operation {(ushort)operation} on resource {(ushort)resource} is not simulated over Direct.");
    }

    /// <summary>The error for a request of the Direct protocol that names its resource by an id instead of by names.</summary>
    public static RequestException ByResourceId() => RequestException.Unserved(
        ServiceStatus.BadRequest, "Requests by resource id (_self, _rid) are not simulated over Direct. Name the resource by its ids.");

    private static RequestException ErrorOf(string name, bool isFeed) => RequestException.Unserved(
        isFeed ? ServiceStatus.MethodNotAllowed : ServiceStatus.NotFound, $"{name} are not simulated.");
}
