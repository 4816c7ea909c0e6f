using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// What the service has and the account has not. A request for it is rejected by name, before it is authenticated: 404 for one of them, of
/// which there is none, and 405 for anything else.
/// </summary>
internal static class UnservedResources
{
    private static readonly Dictionary<string, string> Names = new(StringComparer.Ordinal)
    {
        ["sprocs"] = "Stored procedures",
        ["triggers"] = "Triggers",
        ["udfs"] = "User-defined functions",
        ["conflicts"] = "Conflicts",
        ["users"] = "Users",
        ["permissions"] = "Permissions",
        ["clientencryptionkeys"] = "Client encryption keys",
        ["attachments"] = "Attachments",
    };

    private static readonly Dictionary<ushort, string> Numbers = new()
    {
        [0x4] = "Attachments",
        [0x5] = "Users",
        [0x6] = "Stored procedures",
        [0x7] = "Conflicts",
        [0x8] = "Triggers",
        [0x9] = "User-defined functions",
    };

    /// <summary>The error for a path of names; null for a path that names nothing known.</summary>
    public static RequestException? FindError(string[] segments)
    {
        // Names of feeds and of one of their resources take turns.
        bool isFeed = segments.Length % 2 == 1;
        return segments.Length >= 3 && Names.TryGetValue(isFeed ? segments[^1] : segments[^2], out string? name)
            ? ErrorOf(name, isFeed) : null;
    }

    /// <summary>The error for a resource and an operation of the Direct protocol.</summary>
    public static RequestException ErrorOf(ResourceType resource, OperationType operation)
    {
        bool isFeed = operation is OperationType.Create or OperationType.ReadFeed or OperationType.Query or OperationType.SqlQuery;
        return Numbers.TryGetValue((ushort)resource, out string? name)
            ? ErrorOf(name, isFeed)
            : RequestException.Unserved(
                ServiceStatus.MethodNotAllowed,
                $"Operation {(ushort)operation} on resource {(ushort)resource} is not simulated over Direct.");
    }

    private static RequestException ErrorOf(string name, bool isFeed) => RequestException.Unserved(
        isFeed ? ServiceStatus.MethodNotAllowed : ServiceStatus.NotFound, $"{name} are not simulated.");
}
