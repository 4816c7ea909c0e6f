namespace ScaleOut.Specs;

/// <summary>Indexing mode of a container that a run creates.</summary>
public enum IndexingMode
{
    /// <summary>Every write updates the index and is charged for each indexed leaf value.</summary>
    Consistent,

    /// <summary>The index follows later. Most accounts no longer accept it.</summary>
    Lazy,

    /// <summary>No index; reads by id and partition key only.</summary>
    None,
}
