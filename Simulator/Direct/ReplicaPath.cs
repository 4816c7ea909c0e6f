using System.Buffers.Text;
using System.Globalization;

namespace ScaleOut.Simulator.Direct;

/// <summary>The path of a replica's address, which clients send back with every request: which partition and replica they believe to talk to.</summary>
/// <param name="Partition">Ordinal of the physical partition; <see cref="Master"/> for the one that holds databases.</param>
/// <param name="IsPrimary">Whether it is the replica that takes writes.</param>
internal readonly record struct ReplicaPath(int Partition, bool IsPrimary)
{
    public const int Master = -1;

    private const string MasterName = "master";

    /// <summary>Address of a replica; the first is the primary.</summary>
    public static string Address(int port, uint container, int partition, int replica) => string.Create(
        CultureInfo.InvariantCulture,
        $"rntbd://127.0.0.1:{port}/apps/simulated/services/{container:x8}/partitions/{(partition == Master ? MasterName : partition.ToString(CultureInfo.InvariantCulture))}/replicas/{replica}{(replica == 0 ? 'p' : 's')}/");

    /// <summary>Reads the path that a request names; false when it is none that <see cref="Address"/> makes.</summary>
    public static bool TryParse(ReadOnlySpan<byte> path, out ReplicaPath replica)
    {
        replica = default;
        int at = path.IndexOf("partitions/"u8);
        if (at < 0)
            return false;
        path = path[(at + "partitions/"u8.Length)..];
        int end = path.IndexOf((byte)'/');
        if (end <= 0)
            return false;
        int partition = Master;
        if (!path[..end].SequenceEqual("master"u8) && !(Utf8Parser.TryParse(path[..end], out partition, out int used) && used == end && partition >= 0))
            return false;
        path = path[end..].TrimEnd((byte)'/');
        replica = new ReplicaPath(partition, path.EndsWith("p"u8));
        return path.StartsWith("/replicas/"u8);
    }
}
