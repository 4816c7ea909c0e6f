namespace ScaleOut.Templates;

/// <summary>
/// A JSON object with placeholders in its texts. A text that consists only of a placeholder for a number or a truth value becomes a number
/// or a truth value. If the template has no <c>id</c>, one is added as the first property.
/// </summary>
public sealed class DocumentTemplate
{
    private const string IdName = "id";
    private const string TimeToLiveName = "ttl";

    private static readonly Dictionary<JsonValueKind, string> Kinds = new()
    {
        [JsonValueKind.Number] = "a number", [JsonValueKind.True] = "true or false", [JsonValueKind.False] = "true or false",
        [JsonValueKind.Null] = "null", [JsonValueKind.Object] = "an object", [JsonValueKind.Array] = "an array",
    };

    private readonly List<TemplatePart> _parts = [];
    private readonly StringBuilder _literal = new();
    private readonly Dictionary<string, IReadOnlyList<TemplatePart>> _texts = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _others = new(StringComparer.Ordinal);
    private readonly Action<string, string> _error;
    private int _place;

    private DocumentTemplate(Action<string, string> error) => _error = error;

    /// <summary>
    /// The whole document as JSON text with placeholders. Values of placeholders within quotes are escaped like the inside of a JSON
    /// string.
    /// </summary>
    public IReadOnlyList<TemplatePart> Parts => _parts;

    /// <summary>A document with a different number in place of each placeholder, as JSON.</summary>
    internal string Sample => string.Concat(_parts.Select(
        part => part.Kind == PlaceholderKind.Literal ? part.Text : part.Place.ToString(CultureInfo.InvariantCulture)));

    /// <summary>The texts at the top level by property, including <c>id</c>. These can be partition keys.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<TemplatePart>> Texts => _texts;

    /// <summary>The other properties at the top level, with the kind of their values, such as <c>a number</c>.</summary>
    internal IReadOnlyDictionary<string, string> Others => _others;

    /// <summary>The property whose text is just <c>{{key}}</c>; null if there is none.</summary>
    public string? KeyProperty => _texts.FirstOrDefault(text => text.Value is [{ Kind: PlaceholderKind.Key }]).Key;

    /// <summary>Compiles a template that has been validated.</summary>
    /// <exception cref="FormatException">The template is invalid.</exception>
    public static DocumentTemplate Compile(string json)
    {
        using var document = JsonDocument.Parse(json);
        return Compile(document.RootElement, "template", (path, message) => throw new FormatException($"{path}: {message}"));
    }

    /// <summary>Compiles a template and reports all of its errors.</summary>
    internal static DocumentTemplate Compile(JsonElement root, string path, Action<string, string> error)
    {
        var template = new DocumentTemplate(error);
        template._literal.Append('{');
        if (!root.TryGetProperty(IdName, out var id))
        {
            template._texts[IdName] = [new TemplatePart { Kind = PlaceholderKind.Unique, Place = template._place++ }];
            template._literal.Append("\"id\":\"");
            template.Add(template._texts[IdName][0]);
            template._literal.Append('"');
        }
        else
        {
            template.CheckId(id, SpecPath.Field(path, IdName));
        }

        if (root.TryGetProperty(TimeToLiveName, out var ttl))
            template.CheckTimeToLive(ttl, SpecPath.Field(path, TimeToLiveName));
        template.AddProperties(root, path, isTop: true);
        template._literal.Append('}');
        template.Flush();
        return template;
    }

    private void CheckId(JsonElement id, string path)
    {
        if (id.ValueKind != JsonValueKind.String)
            _error(path, $"{ErrorText.From(id)} is not a text, as an id must be");
        else if (TextTemplate.Parse(id.GetString()!, (_, _) => { }) is var parts
            && (!parts.Any(part => part.IsUnique) || parts.Any(part => part.Kind == PlaceholderKind.Key)))
            _error(path, "may be the same in several documents: use {{id}}, {{guid}} or {{number}}, and not {{key}}");
        else if (parts is [{ Kind: PlaceholderKind.Number }])
            _error(path, "becomes a number, but an id is a text: use \"n{{number}}\" or {{id}}");
        else if (parts.Sum(TemplateSize.MostOfId) > TemplateSize.MaxId)
            _error(path, $"may become longer than the {TemplateSize.MaxId} bytes that an id may have");
    }

    /// <summary>The service rejects a document whose time to live is none, and with it every document of the run.</summary>
    private void CheckTimeToLive(JsonElement ttl, string path)
    {
        var fits = ttl.ValueKind switch
        {
            JsonValueKind.Number => ttl.TryGetInt32(out var seconds) && seconds is -1 or > 0,
            JsonValueKind.String => TextTemplate.Parse(ttl.GetString()!, (_, _) => { })
                is [{ Kind: PlaceholderKind.RandomInt or PlaceholderKind.Skewed, Minimum: > 0, Maximum: <= int.MaxValue }],
            var kind => kind == JsonValueKind.Null,
        };
        if (!fits)
            _error(path, $"{ErrorText.From(ttl)} is no time to live: a whole number of seconds above 0, or -1");
    }

    private void AddProperties(JsonElement element, string path, bool isTop = false)
    {
        foreach (var property in element.EnumerateObject())
        {
            var propertyPath = SpecPath.Field(path, property.Name);
            if (property.Name.Contains("{{", StringComparison.Ordinal))
                _error(propertyPath, "placeholders stand in values, not in names");
            if (_literal.Length == 0 || _literal[^1] != '{')
                _literal.Append(',');
            _literal.Append(Quote(property.Name)).Append(':');
            AddValue(property.Value, propertyPath, isTop ? property.Name : null);
        }
    }

    private void AddValue(JsonElement value, string path, string? topLevel)
    {
        if (topLevel is not null && value.ValueKind != JsonValueKind.String)
            _others[topLevel] = Kinds[value.ValueKind];
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                _literal.Append('{');
                AddProperties(value, path);
                _literal.Append('}');
                return;
            case JsonValueKind.Array:
                _literal.Append('[');
                var index = 0;
                foreach (var item in value.EnumerateArray())
                {
                    if (index > 0)
                        _literal.Append(',');
                    AddValue(item, SpecPath.Item(path, index++), topLevel: null);
                }

                _literal.Append(']');
                return;
            case JsonValueKind.String:
                AddText(value.GetString()!, path, topLevel);
                break;
            default:
                _literal.Append(value.GetRawText());
                break;
        }
    }

    private void AddText(string text, string path, string? topLevel)
    {
        IReadOnlyList<TemplatePart> parts =
            [
                .. TextTemplate.Parse(text, (character, message) => _error(path, $"{message} (at character {character})"))
                    .Select(part => Placed(part, topLevel))];
        if (parts is [{ IsScalar: true } scalar])
        {
            if (topLevel is not null)
                _others[topLevel] = scalar.Kind == PlaceholderKind.RandomBool ? "true or false" : "a number";
            Add(scalar);
            return;
        }

        if (topLevel is not null)
            _texts[topLevel] = parts;
        _literal.Append('"');
        foreach (var part in parts)
        {
            if (part.Kind == PlaceholderKind.Literal)
                _literal.Append(Quote(part.Text)[1..^1]);
            else
                Add(part);
        }

        _literal.Append('"');
    }

    /// <summary>Within the id itself, {{id}} stands for a guid.</summary>
    private TemplatePart Placed(TemplatePart part, string? topLevel) =>
        part with { Place = _place++, Kind = topLevel == IdName && part.Kind == PlaceholderKind.Id ? PlaceholderKind.Unique : part.Kind };

    private void Add(TemplatePart part)
    {
        Flush();
        _parts.Add(part);
    }

    private void Flush()
    {
        if (_literal.Length > 0)
            _parts.Add(TemplatePart.Literal(_literal.ToString()));
        _literal.Clear();
    }

    private static string Quote(string text) => JsonSerializer.Serialize(text, ScaleOutJson.Compact);
}

/// <summary>Sizes of a template's parts in UTF-8 bytes.</summary>
public static class TemplateSize
{
    private const int Guid = 36;
    private const int Decimals = 4;

    /// <summary>Maximum size of a part. A choice counts as if all of its characters had to be escaped.</summary>
    public static int Most(TemplatePart part) => part.Kind switch
    {
        PlaceholderKind.Literal => Encoding.UTF8.GetByteCount(part.Text),
        PlaceholderKind.Number => 19,
        PlaceholderKind.RandomInt or PlaceholderKind.Skewed => Digits(part),
        PlaceholderKind.RandomNumber => Digits(part) + Decimals,
        PlaceholderKind.RandomText => (int)part.Maximum,
        PlaceholderKind.RandomBool => 5,
        PlaceholderKind.Pick => part.Choices.Max(choice => choice.Length) * 6,
        PlaceholderKind.Id => MaxId,
        _ => Guid,
    };

    /// <summary>Maximum size of a part of an id, without escapes. Within the id itself, {{id}} stands for a guid.</summary>
    internal static int MostOfId(TemplatePart part) => part.Kind switch
    {
        PlaceholderKind.Pick => part.Choices.Max(Encoding.UTF8.GetByteCount),
        PlaceholderKind.Id => Guid,
        _ => Most(part),
    };

    /// <summary>Maximum length of a partition key that the service accepts, in bytes.</summary>
    public const int MaxKey = 2_048;

    /// <summary>Maximum length of an id that the service accepts, in bytes.</summary>
    public const int MaxId = 1_023;

    internal static int Typical(TemplatePart part) => part.Kind switch
    {
        PlaceholderKind.Number => 6,
        PlaceholderKind.RandomInt or PlaceholderKind.Skewed => MiddleDigits(part),
        PlaceholderKind.RandomNumber => MiddleDigits(part) + Decimals,
        PlaceholderKind.Id or PlaceholderKind.Key => Guid,
        PlaceholderKind.Pick => (int)(part.Choices.Zip(
            part.Weights, (choice, weight) => weight * Encoding.UTF8.GetByteCount(choice)).Sum() / part.Weights.Sum()),
        _ => Most(part),
    };

    private static int MiddleDigits(TemplatePart part) =>
        (part.Minimum + ((part.Maximum - part.Minimum) / 2)).ToString(CultureInfo.InvariantCulture).Length;

    private static int Digits(TemplatePart part) =>
        Math.Max(part.Minimum.ToString(CultureInfo.InvariantCulture).Length, part.Maximum.ToString(CultureInfo.InvariantCulture).Length)
            + 1;
}
