namespace ScaleOut.Validation;

/// <summary>Describes the fields that a type declares (<see cref="SpecFieldAttribute"/>) as a JSON schema.</summary>
public static class SpecSchema
{
    /// <summary>Creates the schema of a spec. Rules that span several fields are not in it.</summary>
    public static JsonObject Create<T>()
    {
        var document = typeof(T).GetCustomAttribute<SpecDocumentAttribute>()!;
        var schema = new JsonObject
        {
            // The latest version that common editors fully support.
            ["$schema"] = "http://json-schema.org/draft-07/schema#",
            ["title"] = document.Title,
            ["description"] = document.Description,
            ["type"] = "object",
        };
        DescribeFields(schema, typeof(T), SpecField.Create(typeof(T)), partial: false);
        return schema;
    }

    private static void DescribeFields(JsonObject schema, Type type, object defaults, bool partial)
    {
        var properties = new JsonObject();
        var required = new JsonArray();
        foreach (var field in SpecField.From(type))
        {
            var about = new JsonObject { ["description"] = field.Help };
            Describe(about, field, optional: partial || !field.IsRequired, partial, field.ValueIn(defaults));
            properties[field.Name] = about;
            if (field.IsRequired && !partial)
                required.Add(field.Name);
        }

        schema["properties"] = properties;
        if (required.Count > 0)
            schema["required"] = required;
        schema["additionalProperties"] = false;
    }

    /// <param name="optional">Whether null is permitted and means that the field is left out.</param>
    /// <param name="partial">Whether the field is part of an object that is merged over another one, and so has no defaults.</param>
    private static void Describe(JsonObject schema, SpecField field, bool optional, bool partial, object? defaults)
    {
        var about = field.About;
        if (field.Kind is SpecKind.Object or SpecKind.Partial)
        {
            var type = about.Partial ?? field.Type;
            SetType(schema, "object", optional);
            DescribeFields(
                schema, type, about.Partial is null && defaults is not null ? defaults : SpecField.Create(type),
                partial || about.Partial is not null);
            return;
        }

        DescribeValue(schema, field, optional, partial);
        var standard = about.Default ?? defaults;
        var isTooShort = standard is System.Collections.ICollection { Count: var count } && count < about.MinItems;
        if (!partial && !field.IsRequired && !isTooShort && standard is not null)
            schema["default"] = JsonSerializer.SerializeToNode(standard, standard.GetType(), ScaleOutJson.Compact);
    }

    private static void DescribeValue(JsonObject schema, SpecField field, bool optional, bool partial)
    {
        var about = field.About;
        switch (field.Kind)
        {
            case SpecKind.Whole:
                SetType(schema, "integer", optional);
                schema["minimum"] = field.MinWhole;
                schema["maximum"] = field.MaxWhole;
                if (about.Step != 1)
                    schema["multipleOf"] = about.Step;
                break;
            case SpecKind.Number:
                SetType(schema, "number", optional);
                schema["minimum"] = about.Min;
                schema["maximum"] = about.Max;
                break;
            case SpecKind.Flag:
                SetType(schema, "boolean", optional);
                break;
            case SpecKind.Text:
                SetType(schema, "string", optional);
                schema["maxLength"] = field.Form!.MaximumLength;
                if (field.Form.Pattern is { } pattern)
                    schema["pattern"] = pattern;
                break;
            case SpecKind.Json when about.Scalar:
                schema["type"] = new JsonArray(["string", "number", "boolean", .. optional ? new JsonNode?[] { "null" } : []]);
                schema["description"] = $"{field.Help} At most {about.MaxLength} characters.";
                break;
            case SpecKind.Json:
                SetType(schema, "object", optional);
                schema["description"] = $"{field.Help} At most {about.MaxLength} characters.";
                break;
            case SpecKind.Choice:
                SetAlternatives(schema, NameAlternatives(field.Names!.Keys), optional);
                break;
            case SpecKind.Duration:
                SetType(schema, "string", optional);
                schema["pattern"] = DurationText.Pattern;
                schema["description"] =
                    $"{field.Help} From {DurationText.Format(field.MinTime)} to {DurationText.Format(field.MaxTime)}.";
                break;
            case SpecKind.List:
                DescribeList(schema, field, optional, about.MinItems, about.MaxItems);
                break;
            case SpecKind.Pair:
                DescribeList(schema, field, optional, 2, 2);
                break;
            case SpecKind.NamedObject:
                var inner = new JsonObject { ["type"] = "object" };
                DescribeFields(inner, field.Type, SpecField.Create(field.Type), partial);
                SetAlternatives(schema, [.. NameAlternatives(field.Names!.Keys), inner], optional);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(field), field.Kind, "Not a value.");
        }
    }

    private static void DescribeList(JsonObject schema, SpecField field, bool optional, int minItems, int maxItems)
    {
        SetType(schema, "array", optional);
        var items = new JsonObject();
        Describe(items, field.Item!, optional: false, partial: false, defaults: null);
        schema["items"] = items;
        schema["minItems"] = minItems;
        schema["maxItems"] = maxItems;
        if (field.Kind == SpecKind.List && field.About.Unique)
            schema["uniqueItems"] = true;
    }

    // The enum is what an editor suggests. The pattern accepts any letter case, as the reader does: a schema's regular expressions have no
    // flag for it.
    private static JsonObject[] NameAlternatives(IEnumerable<string> names) =>
    [
        new() { ["enum"] = new JsonArray([.. names.Select(name => JsonValue.Create(name))]) },
        new()
        {
            ["type"] = "string",
            ["pattern"] = $"^({string.Join('|', names.Select(name => string.Concat(name.Select(EitherCase))))})$",
        },
    ];

    private static string EitherCase(char letter) =>
        char.IsAsciiLetter(letter) ? $"[{char.ToUpperInvariant(letter)}{char.ToLowerInvariant(letter)}]" : $"{letter}";

    private static void SetType(JsonObject schema, string type, bool optional) =>
        schema["type"] = optional ? new JsonArray(type, "null") : type;

    private static void SetAlternatives(JsonObject schema, IEnumerable<JsonObject> alternatives, bool optional)
    {
        var all = new JsonArray([.. alternatives]);
        if (optional)
            all.Add(new JsonObject { ["type"] = "null" });
        schema["anyOf"] = all;
    }
}
