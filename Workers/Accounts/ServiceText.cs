namespace ScaleOut.Workers.Accounts;

/// <summary>Sanitizes a service's error text: one short line without keys, tokens and signatures.</summary>
internal static partial class ServiceText
{
    private const int MaxLength = 300;
    private const string ReasonFrame = "Reason: (";

    /// <summary>What the service writes after the text: for an item's errors, times before the activity.</summary>
    private static readonly string[] Tails = ["ActivityId", "RequestStartTime"];

    /// <summary>The message within the text, without activity ids, keys, tokens and signatures; empty if there is none.</summary>
    public static string Clean(string? text, AccountConnection? account = null)
    {
        if (string.IsNullOrWhiteSpace(text))
            return "";

        var message = MessageIn(WithoutFrame(text));
        foreach (var tail in Tails)
        {
            var end = message.IndexOf(tail, StringComparison.OrdinalIgnoreCase);
            if (end > 0)
                message = message[..end];
        }

        message = WhiteSpace().Replace(message, " ").Trim(' ', ',', ';');
        if (account?.Key is { Length: > 0 } key)
            message = message.Replace(key, "***", StringComparison.Ordinal);
        message = Secrets().Replace(message, "$1***");
        return ShortText.From(message, MaxLength);
    }

    /// <summary>
    /// The text inside what the SDK puts around it: "Response status code does not indicate success: ...; Reason: (text);", and the lines
    /// "code : ..." and "message : text", or "Errors : [texts]", as which it shows the body's properties.
    /// </summary>
    private static string WithoutFrame(string text)
    {
        var reason = text.IndexOf(ReasonFrame, StringComparison.Ordinal);
        if (reason >= 0)
        {
            text = text[(reason + ReasonFrame.Length)..];
            var end = text.IndexOf(");", StringComparison.Ordinal);
            text = text.EndsWith(");", StringComparison.Ordinal) ? text[..^2] : end < 0 ? text : text[..end];
        }

        if (Shown().Match(text) is not { Success: true } shown)
            return text;
        return shown.Groups["message"] is { Success: true } message ? message.Value : $"{{\"Errors\":{shown.Groups["errors"].Value}}}";
    }

    /// <summary>
    /// Errors have the form {"message": ...}, whose text may itself be "Message: {"Errors": [...]}", followed by more text.
    /// </summary>
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
            // The callers show the whole text where a property cannot be read.
            return null;
        }
    }

    [GeneratedRegex(
        @"\A\s*(?:(?:code : [^\n]*\n)?message : (?<message>.*)|Errors : (?<errors>\[.*\]))\s*\z", RegexOptions.Singleline)]
    private static partial Regex Shown();

    [GeneratedRegex(@"\s+")]
    private static partial Regex WhiteSpace();

    [GeneratedRegex(@"((?:bearer\s+|\bsig(?:nature)?[=:]\s*|AccountKey=|sig%3d))[^\s&;""']+", RegexOptions.IgnoreCase)]
    private static partial Regex Secrets();
}
