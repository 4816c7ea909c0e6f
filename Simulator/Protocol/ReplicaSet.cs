namespace ScaleOut.Simulator.Protocol;

/// <summary>What a partition's replicas look like to clients. All of them share one store, so each has every write at once.</summary>
internal static class ReplicaSet
{
    /// <summary>Replicas of a partition, the primary among them. Never more than the addresses that are published: clients would ask for addresses again and again.</summary>
    public const int Size = 4;

    /// <summary>Replicas that have a write before it is answered.</summary>
    public const int WriteQuorum = 3;
}
