namespace ScaleOut.Specs.Reading;

/// <summary>Reads specs of one kind: runs, experiments, searches for a limit, or profiles.</summary>
/// <param name="what">Name of the spec in error messages, such as <c>a spec</c>.</param>
/// <param name="checkRules">Adds errors of rules that span several fields. Invalid fields hold their defaults.</param>
/// <param name="prepare">Changes the JSON of the spec before it is read.</param>
public sealed class SpecReader<T>(string what, Action<T, ReadingContext> checkRules, Action<JsonObject>? prepare = null)
    where T : class
{
    /// <param name="edit">Changes the JSON of the spec before it is read (see <see cref="SpecEdit"/>). Not called if the text is no JSON
    /// object.</param>
    public ReadResult<T> ReadText(string text, Action<JsonObject>? edit = null)
    {
        var context = new ReadingContext();
        var root = SpecJson.Parse(text, context);
        if (!context.IsInvalid("") && root is JsonObject fields)
            edit?.Invoke(fields);
        return Read(root, context);
    }

    /// <summary>Reads JSON, or a value that can be serialized to JSON.</summary>
    public ReadResult<T> ReadValue<TValue>(TValue value)
    {
        var context = new ReadingContext();
        if (value is JsonElement { ValueKind: JsonValueKind.Undefined })
            return Read(null, context);
        return Read(ToElement(value, context) is { } element ? SpecJson.Copy(element, "", context) : null, context);
    }

    private ReadResult<T> Read(JsonNode? root, ReadingContext context)
    {
        if (context.IsInvalid(""))
            return new(null, context.Errors);
        if (root is JsonObject fields)
            prepare?.Invoke(fields);
        if (ToElement(root, context) is not { } element)
            return new(null, context.Errors);
        if (element.ValueKind != JsonValueKind.Object)
        {
            context.Add("", $"{what} is a JSON object, not {ErrorText.From(element)}");
            return new(null, context.Errors);
        }

        var value = new SpecReading(context).Read<T>(element, "");
        checkRules(value, context);
        return context.Result(value);
    }

    /// <summary>Returns null and adds an error if JSON cannot hold the value, such as NaN or an enum value without a name.</summary>
    private static JsonElement? ToElement<TValue>(TValue value, ReadingContext context)
    {
        try
        {
            return JsonSerializer.SerializeToElement(value, ScaleOutJson.Compact);
        }
        catch (Exception unwritable) when (unwritable is ArgumentException or JsonException or InvalidOperationException)
        {
            context.Add("", $"cannot be written as JSON: {unwritable.Message}", beyondSchema: true);
            return null;
        }
    }
}
