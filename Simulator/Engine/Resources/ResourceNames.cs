using System.Buffers;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>Names of databases and containers.</summary>
internal static class ResourceNames
{
    private const int MaxCharacters = 255;
    private static readonly SearchValues<char> Forbidden = SearchValues.Create("/\\?#");

    /// <summary>The <c>id</c> of a definition.</summary>
    /// <exception cref="RequestException">400: missing or not allowed.</exception>
    public static string Read(JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("id", out JsonElement id) || id.ValueKind != JsonValueKind.String || id.GetString() is not { Length: > 0 } name)
            throw RequestException.BadRequest("The input content is invalid because the required properties - 'id; ' - are missing");
        if (name.Length > MaxCharacters)
            throw RequestException.BadRequest($"The input name is invalid: it has more than {MaxCharacters} characters.");
        if (name.AsSpan().ContainsAny(Forbidden) || name[^1] == ' ')
            throw RequestException.BadRequest($"The input name '{name}' is invalid. Ensure to provide a unique non-empty string without '/', '\\', '?', '#' and without a space at its end.");
        return name;
    }
}
