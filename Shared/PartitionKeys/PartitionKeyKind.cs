namespace ScaleOut.PartitionKeys;

/// <summary>JSON type of a partition key value. The numbers are the type marks that the service puts in front of a value before it hashes it.</summary>
public enum PartitionKeyKind
{
    /// <summary>The document has no value at the partition key path.</summary>
    Undefined = 0,

    Null = 1,
    False = 2,
    True = 3,
    Number = 5,
    Text = 8,
}
