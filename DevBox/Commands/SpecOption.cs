namespace ScaleOut.DevBox.Commands;

/// <summary>
/// An option that sets one field of a spec. What the field is for, its names, range and default are those of the spec's JSON schema; the
/// text is not judged here but by whoever reads the spec, together with all the rest.
/// </summary>
internal sealed class SpecOption : Option<string?>
{
    private static readonly Lazy<JsonObject> RunSchema = new(RunSpecReader.Schema);
    private static readonly Lazy<JsonObject> ExperimentSchema = new(ExperimentSpecReader.Schema);

    /// <param name="path">The field's path in the spec of a run or of an experiment, such as <c>client.concurrency</c>.</param>
    /// <param name="valueName">Stands for the value in the help; null for what follows from the field.</param>
    /// <param name="about">One line for the help in place of the field's own; null for that.</param>
    public SpecOption(string name, string path, string? valueName = null, string? about = null)
        : base(name)
    {
        Path = path;
        HelpName = valueName;
        Description = about;
        AllowMultipleArgumentsPerToken = false;
    }

    public string Path { get; }

    private JsonObject Field => Find(RunSchema.Value) ?? Find(ExperimentSchema.Value)
        ?? throw new InvalidOperationException($"There is no field '{Path}' in a spec.");

    /// <summary>Completes the help, which takes the schema: not before somebody asks for it.</summary>
    public void Explain()
    {
        var field = Field;
        var names = field["anyOf"]?[0]?["enum"]?.AsArray();
        HelpName ??= names is not null ? string.Join('|', names) : IsText(field) ? "text" : "n";
        Description ??= $"{field["description"]}{Bounds(field)}";
    }

    /// <summary>The given text as the field's JSON.</summary>
    public JsonNode ValueOf(string text) => IsText(Field) ? JsonValue.Create(text) : ToJson(text);

    /// <summary>Which options gave the value that an error is about, such as <c>given as --workers</c>; null when none did.</summary>
    private static string? SourcesOf(ValidationError error, IEnumerable<SpecOption> given)
    {
        var sources = given.Where(option => option.Path == error.Path || option.Path.StartsWith(error.Path + ".", StringComparison.Ordinal))
            .Select(option => option.Name)
            .ToList();
        return sources.Count == 0 ? null : $"given as {string.Join(" and ", sources)}";
    }

    /// <summary>An error with the options that gave its value, else with the file.</summary>
    public static string Describe(ValidationError error, string? file, IEnumerable<SpecOption> given) =>
        SourcesOf(error, given) is { } sources ? $"{error} ({sources})"
        : file is null ? error.ToString()
        : $"{file}: {error}";

    /// <summary>What is wrong with options whatever a spec says, where that spec cannot be read.</summary>
    /// <param name="errors">Of a spec that consists of them alone.</param>
    public static IEnumerable<string> ErrorsOf(IReadOnlyList<SpecOption> given, IEnumerable<ValidationError> errors) =>
        // An error that spans several fields may go away with the spec's own values.
        from error in errors
        where !error.BeyondSchema
        let sources = SourcesOf(error, given)
        where sources is not null
        select $"{error} ({sources})";

    /// <summary>The given text as JSON: a number where it reads as one, else a string.</summary>
    public static JsonNode ToJson(string text)
    {
        try
        {
            return JsonNode.Parse(text) is JsonValue value && value.GetValueKind() == JsonValueKind.Number ? value : JsonValue.Create(text);
        }
        catch (JsonException)
        {
            return JsonValue.Create(text);
        }
    }

    private JsonObject? Find(JsonObject schema) =>
        Path.Split('.').Aggregate((JsonNode?)schema, (inner, name) => inner?["properties"]?[name]) as JsonObject;

    private static bool IsText(JsonObject field) => (string?)(field["type"] is JsonArray types ? types[0] : field["type"]) == "string";

    private static string Bounds(JsonObject field)
    {
        var (least, most) = (field["minimum"] ?? field["exclusiveMinimum"], field["maximum"]);
        var range = least is null || Number(least) == int.MinValue ? null
            : $"{(field["minimum"] is null ? "above " : "")}{Text(least)} to {Text(most!)}";
        var standard = field["default"] is JsonValue value ? $"default {Text(value)}" : null;
        var bounds = string.Join(", ", new[] { range, standard }.Where(part => part is not null));
        return bounds.Length == 0 ? "" : $" {char.ToUpperInvariant(bounds[0])}{bounds[1..]}.";
    }

    private static decimal Number(JsonNode node) => decimal.Parse(node.ToJsonString(), NumberStyles.Float, CultureInfo.InvariantCulture);

    private static string Text(JsonNode node) => node.GetValueKind() == JsonValueKind.Number
        ? Number(node).ToString("#,0.######", CultureInfo.InvariantCulture)
        : node.ToString();
}
