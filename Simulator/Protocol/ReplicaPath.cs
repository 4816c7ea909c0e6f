namespace ScaleOut.Simulator.Protocol;

/// <summary>What a partition's replicas look like to clients. All of them share one store, so each has every write at once.</summary>
internal static class ReplicaSet
{
    /// <summary>
    /// Replicas of a partition, the primary among them. Never more than the addresses that are published: clients would ask for addresses
    /// again and again.
    /// </summary>
    public const int Size = 4;

    /// <summary>Replicas that have a write before the response.</summary>
    public const int WriteQuorum = 3;

    /// <summary>
    /// Position of the partition that holds databases. It is the same in all responses, so that a client that asks several replicas finds
    /// them agreed.
    /// </summary>
    public const long MasterLsn = 1;
}

/// <summary>
/// The path of a replica's address, which clients send back with every request: which partition and replica they believe to talk to.
/// </summary>
/// <param name="Partition">Ordinal of the physical partition; <see cref="Master"/> for the one that holds databases.</param>
/// <param name="IsPrimary">Whether it is the replica that takes writes.</param>
internal readonly record struct ReplicaPath(int Partition, bool IsPrimary)
{
    public const int Master = -1;

    private const string MasterName = "master";

    /// <summary>Address of a replica; the first is the primary.</summary>
    public static string Address(int port, uint container, int partition, int replica)
    {
        string name = partition == Master ? MasterName : partition.ToString(CultureInfo.InvariantCulture);
        char role = replica == 0 ? 'p' : 's';
        return string.Create(
            CultureInfo.InvariantCulture,
            $"rntbd://127.0.0.1:{port}/apps/simulated/services/{container:x8}/partitions/{name}/replicas/{replica}{role}/");
    }

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
        if (!path[..end].SequenceEqual("master"u8)
            && !(Utf8Parser.TryParse(path[..end], out partition, out int used) && used == end && partition >= 0))
            return false;
        path = path[end..].TrimEnd((byte)'/');
        replica = new ReplicaPath(partition, path.EndsWith("p"u8));
        return path.StartsWith("/replicas/"u8);
    }
}
