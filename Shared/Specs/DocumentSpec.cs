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
