namespace ScaleOut.Texts;

/// <summary>Shortens texts. Half of a surrogate pair, which could not be written as JSON, never remains.</summary>
public static class ShortText
{
    /// <summary>The text, or its beginning and an ellipsis.</summary>
    /// <param name="maxLength">Maximum length of the result, in UTF-16 characters.</param>
    public static string From(string text, int maxLength)
    {
        if (text.Length <= maxLength)
            return text;
        return maxLength < 1 ? "" : $"{Cut(text, maxLength - 1)}…";
    }

    /// <summary>The text, or its beginning alone, such as for a name that is compared with kept ones.</summary>
    /// <param name="maxLength">As in <see cref="From"/>.</param>
    public static string Cut(string text, int maxLength)
    {
        if (text.Length <= maxLength)
            return text;
        return text[..(maxLength > 0 && char.IsHighSurrogate(text[maxLength - 1]) ? maxLength - 1 : Math.Max(maxLength, 0))];
    }
}

public static class OneLine
{
    private const int MaxLength = 300;

    /// <summary>Joins the lines, and shortens the result to 300 characters.</summary>
    public static string From(string text) => ShortText.From(
        string.Join(' ', text.Split(['\r', '\n', '\t'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)),
        MaxLength);

    /// <summary>The first line, shortened. Empty if there is no text.</summary>
    /// <param name="maxLength">Maximum length of the result, in UTF-16 characters.</param>
    public static string FirstOf(string? text, int maxLength = MaxLength)
    {
        var line = text.AsSpan().Trim();
        var end = line.IndexOfAny('\r', '\n');
        return ShortText.From((end < 0 ? line : line[..end].TrimEnd()).ToString(), maxLength);
    }
}
