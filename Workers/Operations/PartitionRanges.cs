using Microsoft.Azure.Cosmos;
using ScaleOut.PartitionKeys;
using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Workers.Operations;

/// <summary>The physical partitions of a container by its feed ranges, and which of them holds a key.</summary>
public sealed class PartitionRanges
{
    private const int MaxStackKey = 512;

    private readonly PartitionKeyRangeMap _map;
    private readonly IReadOnlyList<(string Min, string Max)> _edges;
    private readonly string[] _minima;

    /// <param name="edges">Minimum and maximum of each range, hexadecimal, in any order.</param>
    public PartitionRanges(PartitionKeyVersion version, IEnumerable<(string Min, string Max)> edges)
    {
        _edges = [.. edges.OrderBy(edge => edge.Min, StringComparer.Ordinal)];
        _minima = [.. _edges.Select(edge => edge.Min)];
        _map = PartitionKeyRangeMap.FromEdges(version, _minima);
    }

    /// <summary>One range for every key, for a store that does not report its partitions.</summary>
    public static PartitionRanges Unknown { get; } = new(PartitionKeyVersion.V2, [("", "FF")]) { AreKnown = false };

    public int Count => _edges.Count;

    /// <summary>Whether the ranges are the store's own.</summary>
    public bool AreKnown { get; private init; } = true;

    public (string Min, string Max) this[int partition] => _edges[partition];

    /// <summary>Reads the container's hash version and its ranges.</summary>
    public static async Task<PartitionRanges> ReadAsync(Container container, CancellationToken cancellationToken)
    {
        var properties = await container.ReadContainerAsync(cancellationToken: cancellationToken);
        var version = properties.Resource.PartitionKeyDefinitionVersion == PartitionKeyDefinitionVersion.V2
            ? PartitionKeyVersion.V2
            : PartitionKeyVersion.V1;
        var ranges = await container.GetFeedRangesAsync(cancellationToken);
        return new PartitionRanges(version, ranges.Select(EdgesOf));
    }

    /// <summary>Ordinal of the partition that holds a key value.</summary>
    public int IndexOf(string key)
    {
        if (Count == 1)
            return 0;
        if (key.Length * 3 > MaxStackKey)
            return _map.IndexOf(PartitionKeyValue.From(key));

        Span<byte> utf8 = stackalloc byte[MaxStackKey];
        return _map.IndexOf(PartitionKeyValue.From(utf8[..Encoding.UTF8.GetBytes(key, utf8)]));
    }

    /// <summary>Ordinal of the partition that holds a key.</summary>
    /// <param name="values">One value, or those of a hierarchical key from the top. Its ranges may begin within one first value.</param>
    public int IndexOf(IReadOnlyList<string> values)
    {
        if (values.Count == 1)
            return IndexOf(values[0]);
        var index = Array.BinarySearch(_minima, EffectivePartitionKey.TextOf(values), StringComparer.Ordinal);
        return Math.Max(0, index < 0 ? ~index - 1 : index);
    }

    /// <summary>Ordinal of the range with an id; null if unknown. Ids are ordinals until a split.</summary>
    public int? IndexOfRange(string? id) =>
        int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var ordinal) && ordinal < Count ? ordinal : null;

    private static (string Min, string Max) EdgesOf(FeedRange range)
    {
        using var document = JsonDocument.Parse(range.ToJsonString());
        var edges = document.RootElement.GetProperty("Range");
        return (edges.GetProperty("min").GetString()!, edges.GetProperty("max").GetString()!);
    }
}
