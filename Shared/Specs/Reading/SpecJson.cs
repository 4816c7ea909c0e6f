namespace ScaleOut.Specs.Reading;

/// <summary>Turns the text of a spec into JSON in which every field occurs once.</summary>
public static class SpecJson
{
    private static readonly JsonDocumentOptions WithComments = new() { CommentHandling = JsonCommentHandling.Skip };

    /// <summary>Parses a spec. Returns null, with one error that gives line and column, if the text is not valid JSON.</summary>
    public static JsonNode? Parse(string text, ReadingContext context)
    {
        // Parsing the string itself would throw if it contains half of a surrogate pair.
        var bytes = Encoding.UTF8.GetBytes(text.TrimStart('\uFEFF'));
        if (string.IsNullOrWhiteSpace(text))
        {
            context.Add("", "the spec is empty; a JSON object is expected");
            return null;
        }

        try
        {
            using var document = JsonDocument.Parse(bytes, WithComments);
            return Copy(document.RootElement, "", context);
        }
        catch (JsonException broken)
        {
            context.Add("", Describe(broken, bytes));
            return null;
        }
    }

    /// <summary>Copies JSON. If a field is given twice, adds an error and keeps the last value.</summary>
    public static JsonNode? Copy(JsonElement element, string path, ReadingContext context)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                var copy = new JsonObject();
                foreach (var property in element.EnumerateObject())
                {
                    var name = Text(() => property.Name) ?? Encoding.UTF8.GetString(JsonMarshal.GetRawUtf8PropertyName(property));
                    var fieldPath = SpecPath.Field(path, name);
                    if (copy.ContainsKey(name))
                        context.Add(fieldPath, "is given twice", beyondSchema: true);
                    copy[name] = Copy(property.Value, fieldPath, context);
                }

                return copy;

            case JsonValueKind.Array:
                return new JsonArray(
                    [.. element.EnumerateArray().Select((item, index) => Copy(item, SpecPath.Item(path, index), context))]);

            case JsonValueKind.String when Text(element.GetString) is null:
                context.Add(path, "is not text: it holds half of a surrogate pair", beyondSchema: true);
                return null;

            case JsonValueKind.Null:
                return null;

            default:
                return JsonValue.Create(element.Clone());
        }
    }

    private static string? Text(Func<string?> read)
    {
        try
        {
            return read();
        }
        catch (InvalidOperationException)
        {
            // Half of a surrogate pair, which the caller reports.
            return null;
        }
    }

    private static string Describe(JsonException broken, byte[] bytes)
    {
        var line = (int)(broken.LineNumber ?? 0);
        var lineStart = 0;
        for (var passed = 0; passed < line; passed++)
            lineStart = Array.IndexOf(bytes, (byte)'\n', lineStart) + 1;
        var length = (int)Math.Min(broken.BytePositionInLine ?? 0, bytes.Length - lineStart);
        var column = Encoding.UTF8.GetCharCount(bytes, lineStart, length) + 1;

        var reason = broken.Message;
        var appendix = reason.IndexOf(" LineNumber:", StringComparison.Ordinal);
        if (appendix >= 0)
            reason = reason[..appendix];
        // The parser's message names an option of its API, which the user cannot set.
        reason = reason.Contains("trailing comma", StringComparison.Ordinal) ? "nothing follows a comma; remove the comma"
            : reason;
        return $"not valid JSON at line {line + 1}, column {column}: {reason}";
    }
}
