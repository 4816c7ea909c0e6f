using System.Collections.Immutable;

namespace ScaleOut.Specs;

public sealed record DocumentSpec
{
    /// <summary>Maximum length of a template in characters of JSON.</summary>
    public const int MaxTemplateLength = 16_384;

    [SpecField("")]
    public DocumentKind Kind
    {
        get => Kinds is not null && field == DocumentKind.PerfTest ? DocumentKind.Mixed : field;
        init;
    } = DocumentKind.PerfTest;

    [SpecField("Of mixed: the kinds of documents, each with its share. The key of the container is a property of all of them.",
        MinItems = 2, MaxItems = 20)]
    public IReadOnlyList<DocumentPart>? Kinds { get; init; }

    /// <summary>If the run has more documents than the file has rows, it starts again with the first row.</summary>
    [SpecField("Of csv: the file, with a header, readable for every worker. Each row is a document.", MaxLength = 1_000, Filled = true)]
    public string? Csv { get; init; }

    [SpecField("Of csv and flights: columns that become properties, besides the key column; all when left out.",
        Form = FormName.ColumnName, MinItems = 1, MaxItems = 250, Unique = true)]
    public IReadOnlyList<string>? Columns { get; init; }

    [SpecField("Of csv and flights: the column that is the partition key and groups batches; of flights Origin when left out.",
        Form = FormName.ColumnName)]
    public string? KeyColumn { get; init; }

    [SpecField("Of csv: whether broken rows are skipped or stop the run.", Default = BrokenRowRule.Stop)]
    public BrokenRowRule? OnBrokenRow { get; init; }

    /// <summary>JSON of an object, see <see cref="Templates.PlaceholderKind"/>.</summary>
    [JsonConverter(typeof(RawJsonConverter))]
    [SpecField("Of template: a JSON object; in its texts {{number}}, {{guid}}, {{id}}, {{key}}, {{random:int:1:100}}, "
        + "{{random:number:0:1}}, {{random:text:12}}, {{random:bool}}, {{pick:a,b,c}}, by weight {{pick:a*9,b*1}}, and the skewed "
        + "{{zipf:1:20000:1.1}} are replaced.",
        MaxLength = MaxTemplateLength)]
    public string? Template { get; init; }

    /// <summary>The effective key column.</summary>
    [JsonIgnore]
    public string FlightsKeyColumn => KeyColumn ?? FlightColumns.DefaultKey;
}

/// <summary>How a run handles broken rows in its CSV file.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<BrokenRowRule>))]
public enum BrokenRowRule
{
    /// <summary>The run does not start, and the error names the lines.</summary>
    Stop,

    /// <summary>The run leaves the rows out. A warning gives their number and names the lines.</summary>
    Skip,
}

/// <summary>
/// The columns of generated flight rows. Their names are those of the on-time statistics of the US Bureau of Transportation Statistics.
/// </summary>
public static class FlightColumns
{
    /// <summary>Airport of departure, an IATA code.</summary>
    public const string DefaultKey = "Origin";

    /// <summary>All 50 columns, in their order.</summary>
    public static readonly ImmutableArray<string> All =
    [
        "Year", "Quarter", "Month", "DayofMonth", "DayOfWeek", "FlightDate", "Reporting_Airline", "DOT_ID_Reporting_Airline", "Tail_Number",
        "Flight_Number_Reporting_Airline",
        "OriginAirportID", "OriginCityMarketID", "Origin", "OriginCityName", "OriginState", "OriginStateName", "OriginWac",
        "DestAirportID", "DestCityMarketID", "Dest", "DestCityName", "DestState", "DestStateName", "DestWac",
        "CRSDepTime", "DepTime", "DepDelay", "DepDelayMinutes", "DepDel15", "DepartureDelayGroups", "DepTimeBlk", "TaxiOut", "WheelsOff",
        "WheelsOn", "TaxiIn",
        "CRSArrTime", "ArrTime", "ArrDelay", "ArrDelayMinutes", "ArrDel15", "ArrivalDelayGroups", "ArrTimeBlk", "Cancelled", "Diverted",
        "CRSElapsedTime", "ActualElapsedTime", "AirTime", "Distance", "DistanceGroup", "Remarks",
    ];

    private static readonly HashSet<string> TextColumns =
    [
        "FlightDate", "Reporting_Airline", "Tail_Number", "Origin", "OriginCityName", "OriginState", "OriginStateName", "Dest",
        "DestCityName", "DestState", "DestStateName",
        "CRSDepTime", "DepTime", "DepTimeBlk", "WheelsOff", "WheelsOn", "CRSArrTime", "ArrTime", "ArrTimeBlk", "Remarks",
    ];

    /// <summary>Whether the column's values are texts in JSON.</summary>
    public static bool IsText(string column) => TextColumns.Contains(column);

    /// <exception cref="ArgumentException">There is no column of that name.</exception>
    public static int IndexOf(string column) => All.IndexOf(column) is >= 0 and var index
        ? index
        : throw new ArgumentException($"There is no column '{column}'.", nameof(column));

    /// <summary>Typical size in bytes of a generated document with a number of columns, including its id.</summary>
    public static int BytesOf(int columns) => 1_725 * columns / 50;
}

/// <summary>The source of a run's documents. The schema and the console show each value's description as help.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<DocumentKind>))]
public enum DocumentKind
{
    [Description("{ id, KeyNumber, SomeText, SomeCount, PartitionKey }, about 155 bytes, the key a guid")]
    PerfTest,

    [Description("a device's state, about 640 bytes, the key its id, or ownerId, which no two devices share")]
    Device,

    [Description("generated rows (50 columns, about 1,725 bytes), the key a column such as the airport")]
    Flights,

    [Description("the rows of a CSV file, each with exactly its columns, the key one of them")]
    Csv,

    [Description("a JSON object with placeholders")]
    Template,

    [Description("several kinds in one container")]
    Mixed,
}

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
