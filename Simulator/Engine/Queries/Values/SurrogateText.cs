namespace ScaleOut.Simulator.Engine.Queries.Values;

/// <summary>
/// Text of JSON that may have escaped lone surrogates, such as <c>"\ud800"</c>: JSON allows them, <see cref="JsonElement"/> does not read
/// them.
/// </summary>
internal static class SurrogateText
{
    public static string Read(JsonElement element)
    {
        try
        {
            return element.GetString()!;
        }
        catch (InvalidOperationException)
        {
            return Unescape(element.GetRawText().AsSpan()[1..^1]);
        }
    }

    public static string ReadName(JsonProperty property)
    {
        try
        {
            return property.Name;
        }
        catch (InvalidOperationException)
        {
            string text = property.ToString();
            return Unescape(text.AsSpan()[1..text.IndexOf("\":", StringComparison.Ordinal)]);
        }
    }

    public static bool TryGetProperty(JsonElement element, string name, out JsonElement value)
    {
        try
        {
            return element.TryGetProperty(name, out value);
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException)
        {
            foreach (JsonProperty property in element.EnumerateObject())
            {
                if (ReadName(property) == name)
                {
                    value = property.Value;
                    return true;
                }
            }

            value = default;
            return false;
        }
    }

    /// <summary>What a text between quotes means; an escape that is cut short or unknown stands for its characters.</summary>
    public static string Unescape(ReadOnlySpan<char> raw)
    {
        var text = new StringBuilder(raw.Length);
        for (int at = 0; at < raw.Length; at++)
        {
            if (raw[at] != '\\' || at + 1 == raw.Length)
            {
                text.Append(raw[at]);
                continue;
            }

            char escape = raw[++at];
            if (escape == 'u' && at + 4 < raw.Length
                && ushort.TryParse(raw.Slice(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code))
            {
                text.Append((char)code);
                at += 4;
                continue;
            }

            text.Append(escape switch { 'n' => '\n', 't' => '\t', 'r' => '\r', 'b' => '\b', 'f' => '\f', _ => escape });
        }

        return text.ToString();
    }
}
