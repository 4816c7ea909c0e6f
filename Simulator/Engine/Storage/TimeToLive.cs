using System.Text.Json;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>The property <c>ttl</c> of documents, and <c>defaultTtl</c> of containers.</summary>
internal static class TimeToLive
{
    /// <summary>The document does not expire.</summary>
    public const int Never = -1;

    private static readonly JsonPath Path = JsonPath.Parse("/ttl")!;

    /// <summary>What a value that <see cref="IsValid"/> rejects is rejected with.</summary>
    public static string Invalid(string value) =>
        $"The input ttl '{value}' is invalid. Ensure to provide a nonzero positive integer less than or equal to '{int.MaxValue}', "
        + "or -1 for never.";

    public static bool IsValid(JsonElement value, out int seconds)
    {
        seconds = 0;
        return value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out seconds) && seconds is Never or > 0;
    }

    /// <summary>Says of a document's body what is wrong with its time to live; null for nothing.</summary>
    public static string? Check(ReadOnlySpan<byte> body)
    {
        if (!Path.TryFind(body, out Utf8JsonReader reader))
            return null;
        using JsonDocument value = JsonDocument.ParseValue(ref reader);
        return value.RootElement.ValueKind == JsonValueKind.Null || IsValid(value.RootElement, out _)
            ? null : Invalid(value.RootElement.ToString());
    }

    /// <summary>The document's own seconds, <see cref="Never"/>, or null for one without a valid one.</summary>
    public static int? Read(ReadOnlySpan<byte> body) =>
        Path.TryFind(body, out Utf8JsonReader reader) && reader.TokenType == JsonTokenType.Number
        && reader.TryGetInt32(out int seconds) && seconds is Never or > 0 ? seconds : null;
}
