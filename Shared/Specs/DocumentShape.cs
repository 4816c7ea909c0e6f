namespace ScaleOut.Specs;

/// <summary>Properties of a run's documents that keys and charges depend on.</summary>
public sealed record DocumentShape
{
    /// <summary>Cached because each worker asks for the shape, and compiling a template takes long.</summary>
    private static readonly ConditionalWeakTable<DocumentSpec, DocumentShape> Shapes = [];

    /// <summary>Typical size of the JSON in UTF-8 bytes.</summary>
    public required int Bytes { get; init; }

    /// <summary>A document of the usual form, as JSON. Its sizes are not those of real ones.</summary>
    public required byte[] Sample { get; init; }

    /// <summary>Names of the properties at the top level, without <c>id</c>.</summary>
    public IReadOnlyList<string> Properties => JsonSerializer.Deserialize<JsonElement>(Sample).EnumerateObject()
        .Select(property => property.Name).Where(name => name != "id").Distinct(StringComparer.Ordinal).ToList();

    /// <summary>Paths that can be the partition key, the default first.</summary>
    public required IReadOnlyList<string> PartitionKeyPaths { get; init; }

    /// <summary>Paths that can be a level of a hierarchical key, beside the <see cref="PartitionKeyPaths"/>.</summary>
    public IReadOnlyList<string> LevelPaths { get; init; } = [];

    /// <summary>The <see cref="PartitionKeyPaths"/> whose value is the same for all documents of a batch.</summary>
    public required IReadOnlyList<string> BatchKeyPaths { get; init; }

    public string DefaultPartitionKeyPath => PartitionKeyPaths[0];

    /// <summary>A path whose value differs in every document.</summary>
    public const string UniquePath = "/id";

    private static readonly DocumentShape PerfTest = new()
    {
        Bytes = 155,
        Sample = """{"id":"a","KeyNumber":1,"SomeText":"blah blah","SomeCount":100,"PartitionKey":"b"}"""u8.ToArray(),
        PartitionKeyPaths = ["/PartitionKey", UniquePath],
        BatchKeyPaths = ["/PartitionKey"],
    };

    private static readonly DocumentShape Device = new()
    {
        Bytes = 640,
        Sample = """
            {"id":"a","ownerId":"b","number":1,"model":"c","firmware":"1.0","status":"online","lastSeen":2,"location":{"latitude":3,
            "longitude":4,"site":"site 1"},"readings":{"temperature":5,"humidity":6,"battery":7,"signal":8},"tags":["d","e","f"],"note":"g"}
            """u8.ToArray(),
        PartitionKeyPaths = [UniquePath, "/ownerId"],
        LevelPaths = ["/model", "/firmware", "/status"],
        BatchKeyPaths = [],
    };

    /// <summary>CSV files that this process has read, by the fields of a spec that decide about their rows.</summary>
    private static readonly ConcurrentDictionary<string, DocumentShape> Files = new();

    /// <summary>
    /// The shape of a run's documents. Of a CSV file that this process has not read, only the columns that the spec names are known, and
    /// sizes are those of as many generated columns.
    /// </summary>
    public static DocumentShape From(DocumentSpec document) =>
        document.Kind == DocumentKind.Csv && Files.TryGetValue(FileKeyOf(document), out var read)
            ? read
            : Shapes.GetValue(document, Create);

    /// <summary>Keeps what a CSV file has shown, so that charges and sizes are those of its rows.</summary>
    /// <param name="bytes">Mean size of its rows as JSON.</param>
    /// <param name="sample">A usual row as JSON.</param>
    public static void Learn(DocumentSpec document, int bytes, byte[] sample) =>
        Files[FileKeyOf(document)] = Create(document) with { Bytes = bytes, Sample = sample };

    private static string FileKeyOf(DocumentSpec document) =>
        JsonSerializer.Serialize<object?[]>([document.Csv, document.KeyColumn, document.Columns], ScaleOutJson.Compact);

    /// <summary>The shape of a run's documents; null if the template is invalid.</summary>
    internal static DocumentShape? TryFrom(DocumentSpec document)
    {
        try
        {
            return From(document);
        }
        catch (FormatException)
        {
            // The check of the template says what is wrong with it.
            return null;
        }
    }

    private static DocumentShape Create(DocumentSpec document) => document.Kind switch
    {
        DocumentKind.PerfTest => PerfTest,
        DocumentKind.Device => Device,
        DocumentKind.Flights => Rows(document, document.Columns ?? FlightColumns.All, document.FlightsKeyColumn),
        DocumentKind.Csv => Rows(document, document.Columns ?? [], document.KeyColumn ?? "id"),
        DocumentKind.Template => FromTemplate(DocumentTemplate.Compile(document.Template ?? "{}")),
        DocumentKind.Mixed => Mixed(document.Kinds ?? []),
        var kind => throw new ArgumentOutOfRangeException(nameof(document), kind, "no such kind of document"),
    };

    private static DocumentShape Rows(DocumentSpec document, IReadOnlyList<string> given, string key)
    {
        var columns = given.Append(key).Distinct().ToList();
        return new()
        {
            Bytes = FlightColumns.BytesOf(columns.Count),
            Sample = JsonSerializer.SerializeToUtf8Bytes(columns.Where(name => name != "id").ToDictionary(name => name, _ => 0)),
            PartitionKeyPaths = [.. new[] { $"/{key}", UniquePath }.Distinct()],
            // Which columns of a file are texts is known only when it is read.
            LevelPaths = document.Kind == DocumentKind.Flights
                ? [.. columns.Where(name => FlightColumns.IsText(name) && name != key).Select(name => $"/{name}")]
                : [],
            BatchKeyPaths = [$"/{key}"],
        };
    }

    /// <summary>The mean size, and what all kinds have in common.</summary>
    private static DocumentShape Mixed(IReadOnlyList<DocumentPart> kinds)
    {
        if (kinds.Count == 0)
            return PerfTest;
        List<DocumentShape> shapes = [.. kinds.Select(one => From(one.Document))];
        var sample = JsonNode.Parse(shapes[0].Sample)!.AsObject();
        foreach (var name in shapes[0].Properties.Where(name => !shapes.TrueForAll(shape => shape.Properties.Contains(name))))
            sample.Remove(name);
        IReadOnlyList<string> Common(Func<DocumentShape, IEnumerable<string>> paths) =>
            [.. paths(shapes[0]).Where(path => shapes.TrueForAll(shape => paths(shape).Contains(path)))];
        return new()
        {
            Bytes = (int)Math.Round(
                kinds.Zip(shapes, (one, shape) => (double)one.Weight * shape.Bytes).Sum() / kinds.Sum(one => one.Weight)),
            Sample = Encoding.UTF8.GetBytes(sample.ToJsonString()),
            PartitionKeyPaths = Common(shape => shape.PartitionKeyPaths),
            LevelPaths = Common(shape => shape.LevelPaths),
            BatchKeyPaths = Common(shape => shape.BatchKeyPaths),
        };
    }

    private static DocumentShape FromTemplate(DocumentTemplate template)
    {
        var properties = template.Texts.Keys.OrderBy(name => name == template.KeyProperty ? 0 : name == "id" ? 1 : 2);
        return new()
        {
            Bytes = template.Parts.Sum(TemplateSize.Typical),
            Sample = Encoding.UTF8.GetBytes(template.Sample),
            PartitionKeyPaths = [.. properties.Select(name => $"/{name}")],
            BatchKeyPaths = [.. template.Texts.Where(text => text.Value is [{ Kind: PlaceholderKind.Key }]).Select(text => $"/{text.Key}")],
        };
    }
}
