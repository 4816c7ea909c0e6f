namespace ScaleOut.PartitionKeys;

/// <summary>The ranges of a container's hashed partition keys, in ascending order and without gaps.</summary>
public sealed class PartitionKeyRangeMap
{
    private readonly UInt128[] _starts;

    private PartitionKeyRangeMap(PartitionKeyVersion version, UInt128[] starts)
    {
        Version = version;
        _starts = starts;
    }

    public PartitionKeyVersion Version { get; }

    public int Count => _starts.Length;

    /// <summary>Creates ranges of equal width.</summary>
    /// <param name="count">At least 1.</param>
    public static PartitionKeyRangeMap Even(PartitionKeyVersion version, int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        var starts = new UInt128[count];
        for (var i = 1; i < count; i++)
        {
            starts[i] = version == PartitionKeyVersion.V1
                ? EffectivePartitionKey.OfHash32((uint)((((ulong)i << 32) + (ulong)count - 1) / (ulong)count)).Position
                : (UInt128.One << 126) / (UInt128)count * (UInt128)i;
        }

        return new(version, starts);
    }

    /// <summary>Creates the ranges that begin at the given edges, such as the minima of the SDK's feed ranges, in any order.</summary>
    /// <exception cref="FormatException">An edge is not hexadecimal.</exception>
    public static PartitionKeyRangeMap FromEdges(PartitionKeyVersion version, IEnumerable<string> minima)
    {
        UInt128[] starts = [.. minima.Select(edge => EffectivePartitionKey.Parse(edge).Position).Order()];
        ArgumentOutOfRangeException.ThrowIfZero(starts.Length, nameof(minima));
        return new(version, starts);
    }

    /// <summary>Ordinal of the range that holds the value, from 0.</summary>
    public int IndexOf(PartitionKeyValue value) => IndexOf(EffectivePartitionKey.From(Version, value));

    /// <summary>Ordinal of the range that holds the position, from 0.</summary>
    public int IndexOf(EffectivePartitionKey position)
    {
        var index = Array.BinarySearch(_starts, position.Position);
        return index >= 0 ? index : Math.Max(0, ~index - 1);
    }

    /// <summary>First position of a range, inclusive.</summary>
    public EffectivePartitionKey Start(int index) => new(_starts[index]);

    /// <summary>First position after a range.</summary>
    public EffectivePartitionKey End(int index) => index + 1 < _starts.Length ? new(_starts[index + 1]) : EffectivePartitionKey.Maximum;

    /// <summary>A range's inclusive minimum as the service writes it.</summary>
    public string MinInclusive(int index) => Start(index).ToEdge(Version);

    /// <summary>A range's exclusive maximum as the service writes it.</summary>
    public string MaxExclusive(int index) => End(index).ToEdge(Version);
}
