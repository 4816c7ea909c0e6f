namespace ScaleOut.Simulator.Protocol;

/// <summary>A partition's replicas as clients see them. All share one store, so each has every write at once.</summary>
internal static class ReplicaSet
{
    /// <summary>Replicas of a partition. With fewer published addresses than that, clients would keep asking for addresses.</summary>
    public const int Size = 4;

    public const int WriteQuorum = 3;

    /// <summary>Position of the partition of databases. It is always the same, so that replicas agree.</summary>
    public const long MasterLsn = 1;
}

/// <summary>The path of a replica's address, which clients send with every request: the partition and replica that they mean.</summary>
/// <param name="Partition">Ordinal of the physical partition; <see cref="Master"/> for the partition of databases.</param>
internal readonly record struct ReplicaPath(int Partition, bool IsPrimary)
{
    public const int Master = -1;

    private const string MasterName = "master";

    /// <summary>Address of a replica; the first is the primary.</summary>
    public static string Address(int port, uint container, int partition, int replica)
    {
        var name = partition == Master ? MasterName : partition.ToString(CultureInfo.InvariantCulture);
        var role = replica == 0 ? 'p' : 's';
        return string.Create(
            CultureInfo.InvariantCulture,
            $"rntbd://127.0.0.1:{port}/apps/simulated/services/{container:x8}/partitions/{name}/replicas/{replica}{role}/");
    }

    /// <summary>Reads a request's path. False for a path that <see cref="Address"/> does not make.</summary>
    public static bool TryParse(ReadOnlySpan<byte> path, out ReplicaPath replica)
    {
        replica = default;
        var at = path.IndexOf("partitions/"u8);
        if (at < 0)
            return false;
        path = path[(at + "partitions/"u8.Length)..];
        var end = path.IndexOf((byte)'/');
        if (end <= 0)
            return false;
        var partition = Master;
        if (!path[..end].SequenceEqual("master"u8)
            && !(Utf8Parser.TryParse(path[..end], out partition, out var used) && used == end && partition >= 0))
            return false;
        path = path[end..].TrimEnd((byte)'/');
        replica = new ReplicaPath(partition, path.EndsWith("p"u8));
        return path.StartsWith("/replicas/"u8);
    }
}
