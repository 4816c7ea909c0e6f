namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>Whether a physical partition takes operations.</summary>
internal enum PartitionStatus
{
    Online,

    /// <summary>Its documents move to two new partitions; operations are answered 410/1007.</summary>
    CompletingSplit,

    /// <summary>Others have its documents; operations are answered 410/1002.</summary>
    Split,

    /// <summary>Its container is deleted; operations are answered 404/1003.</summary>
    Deleted,
}
