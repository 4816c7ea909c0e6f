using System.Collections.ObjectModel;
using Microsoft.Azure.Cosmos;
using CompositePath = Microsoft.Azure.Cosmos.CompositePath;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>Definitions of composite indexes, each from a text such as <c>/a, /b DESC</c>.</summary>
internal static class CompositeIndexes
{
    /// <summary>Indexes that every ORDER BY of the oracle's queries needs, in one of the two directions.</summary>
    public static IEnumerable<string> OfOracle()
    {
        string[] paths = ["/m", "/i", "/s", "/d/y", "/missing", "/pk"];
        string[] directions = ["", " DESC"];
        foreach (var first in paths)
        {
            foreach (var direction in directions)
            {
                yield return $"{first}, /n{direction}";
                foreach (var second in paths)
                {
                    yield return $"{first}, {second}{direction}";
                    foreach (var last in directions)
                        yield return $"{first}, {second}{direction}, /n{last}";
                }
            }
        }
    }

    /// <summary>A container's definition.</summary>
    public static ContainerProperties Properties(params IEnumerable<string> indexes)
    {
        var properties = AccountClients.Keyed("/pk");
        foreach (var index in indexes)
        {
            properties.IndexingPolicy.CompositeIndexes.Add(new Collection<CompositePath>([.. Parse(index).Select(part => new CompositePath
            {
                Path = part.Path,
                Order = part.IsDescending ? CompositePathSortOrder.Descending : CompositePathSortOrder.Ascending,
            })]));
        }

        return properties;
    }

    /// <summary>An indexing policy.</summary>
    public static string Policy(params IEnumerable<string> indexes) => JsonSerializer.Serialize(new
    {
        compositeIndexes = indexes.Select(index => Parse(index).Select(
            part => new { path = part.Path, order = part.IsDescending ? "descending" : "ascending" })),
    });

    private static IEnumerable<(string Path, bool IsDescending)> Parse(string index) =>
        index.Split(", ").Select(part => (part.Split(' ')[0], part.EndsWith(" DESC", StringComparison.Ordinal)));
}
