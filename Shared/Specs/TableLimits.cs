using System.Text.RegularExpressions;

namespace ScaleOut.Specs;

/// <summary>
/// What Table storage takes, as "Understanding the Table service data model" and "Performing entity group transactions" of its REST
/// documentation have it.
/// </summary>
internal static partial class TableLimits
{
    /// <summary>
    /// Most bytes of an entity group transaction's body. Its entities are as many as those of any batch,
    /// <see cref="WorkloadSpec.MaxBatchSize"/>.
    /// </summary>
    public const int BatchBytes = 4 * 1024 * 1024;

    /// <summary>Most bytes of an entity.</summary>
    public const int EntityBytes = 1024 * 1024;

    /// <summary>Most properties of an entity besides PartitionKey, RowKey and Timestamp.</summary>
    public const int Properties = 252;

    /// <summary>Most characters of a text, which is kept as UTF-16 in at most 64 KiB.</summary>
    public const int TextCharacters = 32 * 1024;

    /// <summary>Bytes that an entity takes of a transaction's body beside its own JSON: the headers of its part.</summary>
    public const int BytesPerPart = 512;

    /// <summary>Names that every entity has already.</summary>
    public static readonly IReadOnlyList<string> SystemProperties = ["PartitionKey", "RowKey", "Timestamp"];

    /// <summary>Whether a property may have that name: as an identifier of C#, at most 255 characters.</summary>
    public static bool IsPropertyName(string name) => PropertyName().IsMatch(name);

    [GeneratedRegex(@"^[\p{L}_][\p{L}\p{Nd}_]{0,254}\z")]
    private static partial Regex PropertyName();
}

/// <summary>Names of tables that runs create.</summary>
public static class TableNames
{
    private const string Prefix = "run";
    private const int HashDigits = 16;

    /// <summary>
    /// The name for a run: <c>run</c> and its id. Tables have letters and digits only, so an id with dashes loses them and has a hash of
    /// itself behind, which keeps it apart from all others. At most 60 of 63 characters.
    /// </summary>
    public static string From(string runId)
    {
        var letters = runId.Replace("-", "", StringComparison.Ordinal);
        if (letters.Length == runId.Length)
            return Prefix + runId;
        var hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(runId)));
        return $"{Prefix}{letters}x{hash[..HashDigits]}";
    }
}
