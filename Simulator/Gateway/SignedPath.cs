using System.Text;

namespace ScaleOut.Simulator.Gateway;

/// <summary>
/// What a signature of a method and path may begin with: verb, resource type and link. The link is the path by names, unescaped, or only
/// the resource id in lower case.
/// </summary>
internal static class SignedPath
{
    /// <summary>Of an operation on a container, such as the deletion of a partition key, clients sign the container.</summary>
    public static ReadOnlyMemory<byte>[] OperationPrefixes(string method, string[] segments) => Prefixes(method, segments[..^2]);

    public static ReadOnlyMemory<byte>[] Prefixes(string method, string[] segments)
    {
        bool isFeed = segments.Length % 2 == 1;
        string type = segments.Length == 0 ? "" : isFeed ? segments[^1] : segments[^2];
        string[] owner = isFeed ? segments[..^1] : segments;
        string link = string.Join('/', owner);
#pragma warning disable CA1308 // The protocol signs lower case.
        string[] links = [Uri.UnescapeDataString(link), Uri.UnescapeDataString(owner.LastOrDefault("")).ToLowerInvariant()];
        return [.. links.Distinct().Select(one => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(
            $"{method.ToLowerInvariant()}\n{type.ToLowerInvariant()}\n{one}\n"))];
#pragma warning restore CA1308
    }
}
