namespace ScaleOut.Validation;

/// <param name="Path">Path of the field, such as <c>workerOverrides[1].workers[0]</c>; empty for the spec as a whole.</param>
/// <param name="Message">The error in one line, such as <c>0 is out of range 1..100000</c>.</param>
/// <param name="BeyondSchema">Whether the JSON schema cannot express the rule. Examples are rules that span fields, ranges of durations,
/// and fields that are given twice.</param>
public sealed record ValidationError(string Path, string Message, bool BeyondSchema = false)
{
    public override string ToString() => Path.Length == 0 ? Message : $"{Path}: {Message}";
}

/// <summary>The result of reading a user's input: the value, or all errors.</summary>
/// <param name="Value">Null if and only if there are errors.</param>
/// <param name="Errors">All errors: first those of the text, then field by field, then those of rules that span fields.</param>
public sealed record ReadResult<T>(T? Value, IReadOnlyList<ValidationError> Errors)
    where T : class;

/// <summary>Formats values of a spec for error messages: short, and on one line.</summary>
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

    /// <summary>The text, or its beginning and an ellipsis, of at most 60 characters.</summary>
    public static string Shorten(string text) => ShortText.From(text, MaxLength);
}

/// <summary>Creates paths of fields, such as <c>simulation.faults[0].status</c>.</summary>
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
