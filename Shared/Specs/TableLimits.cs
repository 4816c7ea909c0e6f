namespace ScaleOut.Specs;

/// <summary>
/// Limits of Table storage, from "Understanding the Table service data model" and "Performing entity group transactions" in its REST
/// documentation.
/// </summary>
internal static partial class TableLimits
{
    /// <summary>
    /// Maximum size of an entity group transaction's body, in bytes. Its maximum number of entities is
    /// <see cref="WorkloadSpec.MaxBatchSize"/>.
    /// </summary>
    public const int BatchBytes = 4 * 1024 * 1024;

    /// <summary>Maximum size of an entity, in bytes.</summary>
    public const int EntityBytes = 1024 * 1024;

    /// <summary>Maximum number of properties of an entity besides PartitionKey, RowKey and Timestamp.</summary>
    public const int Properties = 252;

    /// <summary>Maximum length of a text in characters. It is stored as UTF-16 in at most 64 KiB.</summary>
    public const int TextCharacters = 32 * 1024;

    /// <summary>Bytes that the headers of an entity's part take in a transaction's body, in addition to the entity's JSON.</summary>
    public const int BytesPerPart = 512;

    /// <summary>Names of properties that every entity has.</summary>
    public static readonly IReadOnlyList<string> SystemProperties = ["PartitionKey", "RowKey", "Timestamp"];

    /// <summary>Whether a property may have this name. Names are like C# identifiers of at most 255 characters.</summary>
    public static bool IsPropertyName(string name) => PropertyName().IsMatch(name);

    [GeneratedRegex(@"^[\p{L}_][\p{L}\p{Nd}_]{0,254}\z")]
    private static partial Regex PropertyName();
}
