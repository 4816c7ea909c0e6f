using System.CommandLine.Completions;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// An option that sets one field of a spec. Its help, names, range and default come from the spec's JSON schema. The value is not checked
/// here; the reader of the spec checks it together with the other fields.
/// </summary>
internal class SpecOption : Option<string?>
{
    private static readonly Lazy<JsonObject> RunSchema = new(RunSpecReader.Schema);
    private static readonly Lazy<JsonObject> ExperimentSchema = new(ExperimentSpecReader.Schema);

    /// <param name="path">The field's path in the spec of a run or of an experiment, such as <c>client.concurrency</c>.</param>
    /// <param name="valueName">Stands for the value in the help; null to derive it from the field.</param>
    /// <param name="about">One line for the help; null for the field's own description.</param>
    public SpecOption(string name, string path, string? valueName = null, string? about = null)
        : base(name)
    {
        Path = path;
        HelpName = valueName;
        Description = about;
        AllowMultipleArgumentsPerToken = false;
        CompletionSources.Add(_ => Names.Select(one => new CompletionItem(one)));
    }

    public string Path { get; }

    /// <summary>Names among the field's values that the command rejects.</summary>
    public IReadOnlyList<string> Except { get; init; } = [];

    /// <summary>The names that the field may have. Empty for numbers and texts.</summary>
    private IEnumerable<string> Names => (Field["anyOf"]?[0]?["enum"]?.AsArray() ?? []).Select(name => $"{name}").Except(Except);

    private JsonObject Field => Find(RunSchema.Value) ?? Find(ExperimentSchema.Value)
        ?? throw new InvalidOperationException($"There is no field '{Path}' in a spec.");

    /// <summary>Completes the help. This is called only if help is asked for, because making the schema takes time.</summary>
    public void Explain()
    {
        var field = Field;
        HelpName ??= Names.Any() ? string.Join('|', Names) : IsText(field) ? "text" : "n";
        Description ??= $"{field["description"]}{Bounds(field)}";
    }

    /// <summary>The fields that a given text sets, by their paths.</summary>
    /// <exception cref="InputException">The text names a file that cannot be used.</exception>
    public virtual Task<JsonObject> FieldsAsync(string text, CancellationToken cancellationToken) => Task.FromResult(FieldsOf(text));

    /// <summary>The same, for an option that names no file. Null gives a field its default.</summary>
    public virtual JsonObject FieldsOf(string text) => new() { [Path] = ValueOf(text) };

    public void Set(JsonObject spec, string text) => SpecEdit.SetAll(spec, FieldsOf(text));

    public JsonNode ValueOf(string text) => IsText(Field) ? JsonValue.Create(text) : ToJson(text);

    /// <summary>The options that gave the value that an error is about.</summary>
    private static List<string> SourcesOf(ValidationError error, IEnumerable<SpecOption> given) =>
        [.. given.Where(option => option.Sets(error.Path)).Select(option => option.Name)];

    /// <summary>An error of a value with the options that gave it, at least one.</summary>
    public static InputError GivenAs(IReadOnlyList<string> options, ValidationError error) =>
        new(options[0], error.Message) { Line = $"{error} (given as {string.Join(" and ", options)})" };

    /// <summary>An error with the options that gave its value, else with the file.</summary>
    public static InputError Describe(ValidationError error, string? file, IEnumerable<SpecOption> given) =>
        SourcesOf(error, given) is { Count: > 0 } sources ? GivenAs(sources, error)
        : file is null ? error
        : new InputError(error.Path, error.Message) { Line = $"{file}: {error}" };

    /// <summary>The errors that options have in any spec. Used if the spec itself cannot be read.</summary>
    /// <param name="errors">Errors of a spec that consists of these options alone.</param>
    public static IEnumerable<InputError> ErrorsOf(IReadOnlyList<SpecOption> given, IEnumerable<ValidationError> errors) =>
        // An error that spans several fields may go away with the spec's own values.
        from error in errors
        where !error.BeyondSchema
        let sources = SourcesOf(error, given)
        where sources.Count > 0
        select GivenAs(sources, error);

    /// <summary>The given text as JSON: a number where it reads as one, such as <c>100,000</c>, else a string.</summary>
    public static JsonNode ToJson(string text)
    {
        try
        {
            return JsonNode.Parse(NumberText.WithoutSeparators(text)) is JsonValue value && value.GetValueKind() == JsonValueKind.Number
                ? value
                : JsonValue.Create(text);
        }
        catch (JsonException)
        {
            // Any other text is a value as well.
            return JsonValue.Create(text);
        }
    }

    /// <summary>Whether the option's value is, or is in, the field that an error is about.</summary>
    protected virtual bool Sets(string path) => Path == path || Path.StartsWith(path + ".", StringComparison.Ordinal);

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
        return bounds.Length == 0 ? "" : $" {Words.Capital(bounds)}.";
    }

    private static decimal Number(JsonNode node) => decimal.Parse(node.ToJsonString(), NumberStyles.Float, CultureInfo.InvariantCulture);

    private static string Text(JsonNode node) => node.GetValueKind() == JsonValueKind.Number
        ? Number(node).ToString("#,0.######", CultureInfo.InvariantCulture)
        : node.ToString();
}

/// <summary>
/// The option that names the property of the partition key, or the levels of a hierarchical one, with or without the slash of a path.
/// </summary>
internal sealed class PartitionKeyOption() : SpecOption(
    "--partition-key", PathField, "property[,property]",
    "The property that is the partition key, or the two or three of a hierarchical one, such as tenantId,deviceId (default: the document "
    + "kind's own).")
{
    private const string PathField = "container.partitionKeyPath";
    private const string LevelsField = "container.partitionKeyPaths";

    /// <summary>The properties that a text names, without the slashes of paths.</summary>
    public static IReadOnlyList<string> PropertiesIn(string text) =>
        [.. text.Split(',', StringSplitOptions.TrimEntries).Select(property => property.TrimStart('/'))];

    public override JsonObject FieldsOf(string text) => KeyFieldsOf(text);

    /// <summary>A spec has one of the two fields, so the other one is null.</summary>
    public static JsonObject KeyFieldsOf(string text)
    {
        var paths = PropertiesIn(text).Select(property => JsonValue.Create($"/{property}")).ToArray();
        return paths.Length == 1
            ? new() { [PathField] = paths[0], [LevelsField] = null }
            : new() { [PathField] = null, [LevelsField] = new JsonArray([.. paths]) };
    }

    protected override bool Sets(string path) => path.StartsWith(PathField, StringComparison.Ordinal);
}

/// <summary>The option that names a CSV file, whose rows are the documents, whatever documents the spec has.</summary>
internal sealed class CsvOption() : SpecOption(
    OptionName, PathField, "file", "A CSV file with a header, each of whose rows is a document; with --key-column.")
{
    public const string OptionName = "--csv";

    public static InputError BesideDocument { get; } = new(OptionName, "not beside --document: the rows are the documents.");

    private const string PathField = "document.csv";

    public override JsonObject FieldsOf(string text) => new()
    {
        ["document.kind"] = "csv", ["document.template"] = null, [PathField] = text,
    };
}

/// <summary>The option that says what the documents are: a kind, or a file with a template or with a spec that has one.</summary>
/// <param name="withAccount">Whether a spec also says what its simulated account charges, and how fast and consistent it is.</param>
internal sealed class DocumentOption(bool withAccount = false) : SpecOption(
    "--document", "document.kind", "perfTest|device|flights|file",
    "The kind of the documents, or a JSON file with a template of your own ones.")
{
    /// <summary>What a file is that is given as a spec, but looks like a document.</summary>
    public static string MistakenFor(string file) =>
        $"this looks like a document, not like a spec. Use it as the template of your documents: --document {file}; or write a spec that "
        + "you edit: devbox init my.jsonc";

    /// <summary>A document may have any fields, so only a kind is a value of one field.</summary>
    public override async Task<JsonObject> FieldsAsync(string text, CancellationToken cancellationToken)
    {
        if (!IsFile(text))
            return await base.FieldsAsync(text, cancellationToken);
        var content = await InputFile.ReadAsync(text, "template", cancellationToken);
        if (PriceList.Read(content).Value is not null)
            throw new InputException($"{Name}: {text}: a price list, and no template of documents; give it as --prices.");
        try
        {
            var options = new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };
            return JsonNode.Parse(content, documentOptions: options) is JsonObject template
                ? SizeSource.DocumentFieldsOf(template, withAccount)
                : throw new InputException($"{Name}: {text}: a template is a JSON object.");
        }
        catch (JsonException e)
        {
            throw new InputException($"{Name}: {text}: not JSON: {OneLine.From(e.Message)}");
        }
    }

    protected override bool Sets(string path) => base.Sets(path) || path.StartsWith("document.template", StringComparison.Ordinal);

    private static bool IsFile(string text) =>
        text.EndsWith(".json", StringComparison.OrdinalIgnoreCase) || text.EndsWith(".jsonc", StringComparison.OrdinalIgnoreCase)
        || File.Exists(text);
}
