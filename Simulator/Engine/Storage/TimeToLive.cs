namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>The property <c>ttl</c> of documents, and <c>defaultTtl</c> of containers.</summary>
internal static class TimeToLive
{
    public const int Never = -1;

    private static readonly JsonPath Path = JsonPath.Parse("/ttl")!;

    /// <summary>The error for a value that <see cref="IsValid"/> rejects.</summary>
    public static string Invalid(string value) =>
        $"The input ttl '{value}' is invalid. Ensure to provide a nonzero positive integer less than or equal to '{int.MaxValue}', "
        + "or -1 for never.";

    public static bool IsValid(JsonElement value, out int seconds)
    {
        seconds = 0;
        return value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out seconds) && seconds is Never or > 0;
    }

    /// <summary>The error in the time to live of a document's body; null if it is valid or missing.</summary>
    public static string? Check(ReadOnlySpan<byte> body)
    {
        if (!Path.TryFind(body, out var reader))
            return null;
        using var value = JsonDocument.ParseValue(ref reader);
        return value.RootElement.ValueKind == JsonValueKind.Null || IsValid(value.RootElement, out _)
            ? null : Invalid(value.RootElement.ToString());
    }

    /// <summary>The document's own seconds or <see cref="Never"/>; null without a valid one.</summary>
    public static int? Read(ReadOnlySpan<byte> body) =>
        Path.TryFind(body, out var reader) && reader.TokenType == JsonTokenType.Number
        && reader.TryGetInt32(out var seconds) && seconds is Never or > 0 ? seconds : null;
}
