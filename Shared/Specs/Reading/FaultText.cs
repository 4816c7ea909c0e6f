using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.Specs.Reading;

/// <summary>Values of a plan as its faults quote them: short, on one line.</summary>
public static class FaultText
{
    private const int Longest = 60;

    public static string Of(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Object => "an object",
        JsonValueKind.Array => "an array",
        JsonValueKind.String => Quote(value.GetString()!),
        _ => Shorten(value.GetRawText()),
    };

    public static string Quote(string text) => JsonSerializer.Serialize(Shorten(text), ScaleOutJson.Compact);

    private static string Shorten(string text)
    {
        if (text.Length <= Longest)
            return text;
        // Not between the halves of a surrogate pair: they could not be written.
        var end = char.IsHighSurrogate(text[Longest - 1]) ? Longest - 1 : Longest;
        return text[..end] + "…";
    }
}
