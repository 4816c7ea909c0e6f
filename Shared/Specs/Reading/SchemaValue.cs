using System.Text.Json.Nodes;
using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>Describes one value as a JSON schema.</summary>
/// <param name="schema">Gets the keywords.</param>
/// <param name="optional">Whether null stands for absent.</param>
/// <param name="inPartial">Whether it is part of an object that is laid over another one.</param>
public sealed class SchemaValue(JsonObject schema, bool optional, bool inPartial = false) : ISpecValue
{
    public long? Whole(long minimum, long maximum, long step = 1)
    {
        SetType("integer");
        schema["minimum"] = minimum;
        schema["maximum"] = maximum;
        if (step != 1)
            schema["multipleOf"] = step;
        return null;
    }

    public double? Number(double minimum, double maximum, bool aboveMinimum = false)
    {
        SetType("number");
        schema[aboveMinimum ? "exclusiveMinimum" : "minimum"] = minimum;
        schema["maximum"] = maximum;
        return null;
    }

    public bool? Flag()
    {
        SetType("boolean");
        return null;
    }

    public string? Text(TextForm form)
    {
        SetType("string");
        schema["maxLength"] = form.MaximumLength;
        if (form.Pattern is { } pattern)
            schema["pattern"] = pattern;
        return null;
    }

    public T? Choice<T>() where T : struct, Enum
    {
        SetAlternatives(NameAlternatives(EnumNames<T>.All.Keys));
        return null;
    }

    public TimeSpan? Duration(TimeSpan minimum, TimeSpan maximum)
    {
        SetType("string");
        schema["pattern"] = DurationText.Pattern;
        schema["description"] = $"{schema["description"]} From {DurationText.Format(minimum)} to {DurationText.Format(maximum)}.";
        return null;
    }

    public T? Nested<T>(Func<ISpecObject, T> fields, bool partial = false) where T : class
    {
        SetType("object");
        DescribeFields(schema, fields, partial || inPartial);
        return null;
    }

    public IReadOnlyList<T>? List<T>(Func<ISpecValue, T> item, int minimumItems, int maximumItems, bool unique = false)
    {
        SetType("array");
        var items = new JsonObject();
        item(new SchemaValue(items, optional: false));
        schema["items"] = items;
        schema["minItems"] = minimumItems;
        schema["maxItems"] = maximumItems;
        if (unique)
            schema["uniqueItems"] = true;
        return null;
    }

    public T? NameOrObject<T>(IReadOnlyDictionary<string, T> named, Func<ISpecObject, T> fields) where T : class
    {
        var inner = new JsonObject { ["type"] = "object" };
        DescribeFields(inner, fields, inPartial);
        SetAlternatives([.. NameAlternatives(named.Keys), inner]);
        return null;
    }

    public string? RawObject(int longest)
    {
        SetType("object");
        schema["description"] = $"{schema["description"]} At most {longest} characters.";
        return null;
    }

    public string? Scalar(int longest)
    {
        schema["type"] = new JsonArray(["string", "number", "boolean", .. optional ? new JsonNode?[] { "null" } : []]);
        schema["description"] = $"{schema["description"]} At most {longest} characters.";
        return null;
    }

    private static void DescribeFields<T>(JsonObject target, Func<ISpecObject, T> fields, bool partial)
    {
        var inner = new SchemaObject(partial);
        fields(inner);
        inner.WriteTo(target);
    }

    // The list is what an editor offers; the pattern lets any letter case pass, as the reader does.
    private static JsonObject[] NameAlternatives(IEnumerable<string> names) =>
    [
        new() { ["enum"] = new JsonArray([.. names.Select(name => JsonValue.Create(name))]) },
        new() { ["type"] = "string", ["pattern"] = AnyCase.Pattern(names) },
    ];

    private void SetType(string type) => schema["type"] = optional ? new JsonArray(type, "null") : type;

    private void SetAlternatives(IEnumerable<JsonObject> alternatives)
    {
        var all = new JsonArray([.. alternatives]);
        if (optional)
            all.Add(new JsonObject { ["type"] = "null" });
        schema["anyOf"] = all;
    }
}
