namespace ScaleOut.Validation;

/// <summary>One thing that is wrong with a spec.</summary>
/// <param name="Path">Where, such as <c>workerOverrides[1].workers[0]</c>; empty for the spec as a whole.</param>
/// <param name="Message">What, in one line, such as <c>0 is out of range 1..100000</c>.</param>
/// <param name="BeyondSchema">Whether the JSON schema cannot see it: rules across fields, ranges of durations, fields that are given
/// twice.</param>
public sealed record ValidationError(string Path, string Message, bool BeyondSchema = false)
{
    public override string ToString() => Path.Length == 0 ? Message : $"{Path}: {Message}";
}

/// <summary>What came of reading what a user wrote: the value, or everything that is wrong with it.</summary>
/// <param name="Value">Null exactly when there are errors.</param>
/// <param name="Errors">All of them, those of the text first, then field by field, then rules across fields.</param>
public sealed record ReadResult<T>(T? Value, IReadOnlyList<ValidationError> Errors)
    where T : class;

/// <summary>Values of a spec as its errors quote them: short, on one line.</summary>
public static class ErrorText
{
    private const int MaxLength = 60;

    public static string From(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Object => "an object",
        JsonValueKind.Array => "an array",
        JsonValueKind.String => Quote(value.GetString()!),
        _ => Shorten(value.GetRawText()),
    };

    public static string Quote(string text) => JsonSerializer.Serialize(Shorten(text), ScaleOutJson.Compact);

    private static string Shorten(string text)
    {
        if (text.Length <= MaxLength)
            return text;
        // Not between the halves of a surrogate pair: they could not be written.
        var end = char.IsHighSurrogate(text[MaxLength - 1]) ? MaxLength - 1 : MaxLength;
        return text[..end] + "…";
    }
}

/// <summary>Paths of fields, such as <c>simulation.faults[0].status</c>.</summary>
public static class SpecPath
{
    public static string Field(string parent, string name)
    {
        if (name.Length == 0 || name.Any(letter => !char.IsLetterOrDigit(letter) && letter is not ('_' or '$' or '-')))
            return $"{parent}[{ErrorText.Quote(name)}]";
        return parent.Length == 0 ? name : $"{parent}.{name}";
    }

    public static string Item(string parent, int index) => $"{parent}[{index}]";
}
