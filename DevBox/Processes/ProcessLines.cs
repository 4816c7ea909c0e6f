using System.Text;
using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.DevBox.Processes;

/// <summary>Messages between processes: one JSON value a line.</summary>
internal static class ProcessLines
{
    /// <summary>UTF-8 without a byte order mark, which would make the first line no JSON.</summary>
    public static readonly Encoding Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);

    public static string Write<T>(T message) => JsonSerializer.Serialize(message, ScaleOutJson.Compact);

    /// <summary>The message of a line; null when the line is none.</summary>
    public static T? Read<T>(string line)
        where T : class
    {
        try
        {
            return JsonSerializer.Deserialize<T>(line, ScaleOutJson.Compact);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
