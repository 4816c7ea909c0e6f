using System.Text.Json;
using System.Text.RegularExpressions;

namespace ScaleOut.Workers.Accounts;

/// <summary>Makes one short, harmless line of what a service says about an error.</summary>
internal static partial class ServiceText
{
    private const int MaxLength = 300;

    /// <summary>
    /// The message within the text, on one line, without activity ids, keys, tokens and signatures; empty when there is none.
    /// </summary>
    public static string Clean(string? text, AccountConnection account)
    {
        if (string.IsNullOrWhiteSpace(text))
            return "";

        var message = MessageIn(text);
        var end = message.IndexOf("ActivityId", StringComparison.OrdinalIgnoreCase);
        if (end > 0)
            message = message[..end];
        message = WhiteSpace().Replace(message, " ").Trim(' ', ',', ';');
        if (account.Key is { Length: > 0 } key)
            message = message.Replace(key, "***", StringComparison.Ordinal);
        message = Secrets().Replace(message, "$1***");
        return message.Length <= MaxLength ? message : message[..(MaxLength - 3)] + "...";
    }

    /// <summary>Errors come as {"message": ...}, whose text may itself be "Message: {"Errors": [...]}" with more behind it.</summary>
    private static string MessageIn(string text)
    {
        var message = Property(text, "message") ?? text;
        var start = message.IndexOf('{', StringComparison.Ordinal);
        var end = message.LastIndexOf('}');
        return start >= 0 && end > start && Property(message[start..(end + 1)], "Errors") is { } errors ? errors : message;
    }

    private static string? Property(string json, string name)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            if (document.RootElement.ValueKind != JsonValueKind.Object || !document.RootElement.TryGetProperty(name, out var value))
                return null;
            return value.ValueKind switch
            {
                JsonValueKind.String => value.GetString(),
                JsonValueKind.Array => string.Join(' ', value.EnumerateArray().Select(item => item.ToString())),
                _ => null,
            };
        }
        catch (JsonException)
        {
            return null;
        }
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex WhiteSpace();

    [GeneratedRegex(@"((?:bearer\s+|\bsig(?:nature)?[=:]\s*|AccountKey=|sig%3d))[^\s&;""']+", RegexOptions.IgnoreCase)]
    private static partial Regex Secrets();
}
