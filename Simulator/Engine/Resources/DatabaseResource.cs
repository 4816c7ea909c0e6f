using System.Collections.Concurrent;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A database: a name and its containers.</summary>
internal sealed class DatabaseResource(uint number, string name, long timestampSeconds)
{
    public string Name { get; } = name;

    public byte[] RidBytes { get; } = RidEncoding.Database(number);

    public string Rid { get; } = RidEncoding.Text(RidEncoding.Database(number));

    public long TimestampSeconds { get; } = timestampSeconds;

    public ConcurrentDictionary<string, ContainerResource> Containers { get; } = new(StringComparer.Ordinal);
}
