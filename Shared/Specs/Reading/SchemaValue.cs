namespace ScaleOut.Specs.Reading;

/// <summary>Describes one value as a JSON schema.</summary>
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

/// <summary>Describes the fields of an object as a JSON schema.</summary>
internal sealed class SchemaObject(bool partial) : ISpecObject
{
    private readonly JsonObject _properties = [];
    private readonly JsonArray _required = [];

    public ISpecValue Field(string name, string about) => Describe(name, about, optional: true);

    public ISpecValue Required(string name, string about)
    {
        if (!partial)
            _required.Add(name);
        return Describe(name, about, optional: partial);
    }

    /// <summary>Completes the schema of the object when all fields are named.</summary>
    public void WriteTo(JsonObject schema)
    {
        schema["properties"] = _properties;
        if (_required.Count > 0)
            schema["required"] = _required;
        schema["additionalProperties"] = false;
    }

    private SchemaValue Describe(string name, string about, bool optional)
    {
        var schema = new JsonObject { ["description"] = about };
        _properties[name] = schema;
        return new SchemaValue(schema, optional, partial);
    }
}

/// <summary>The JSON schema of specs.</summary>
public static class RunSpecSchema
{
    internal static JsonObject Create()
    {
        var schema = new JsonObject
        {
            // The latest version that common editors fully support.
            ["$schema"] = "http://json-schema.org/draft-07/schema#",
            ["title"] = "Spec of a run",
            ["description"] = "Workers write documents to one container. Rules that span several fields are checked when the spec is read.",
        };
        new SchemaValue(schema, optional: false).Nested(RunSpecFields.Read);
        AddDefaults(schema, new RunSpec());
        return schema;
    }

    /// <summary>Gives the fields of a schema the values that a record has by itself: the defaults are written nowhere else.</summary>
    public static void AddDefaults<T>(JsonObject schema, T record) =>
        AddDefaults(schema, JsonSerializer.SerializeToNode(record, ScaleOutJson.Compact)!.AsObject());

    private static void AddDefaults(JsonObject schema, JsonObject defaults)
    {
        var properties = schema["properties"]!.AsObject();
        foreach (var (name, value) in defaults)
        {
            var property = properties[name]!.AsObject();
            if (value is JsonObject inner)
                AddDefaults(property, inner);
            else if (value is not null)
                property["default"] = value.DeepClone();
        }
    }
}
