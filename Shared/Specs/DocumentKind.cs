using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using ScaleOut.Json;
using ScaleOut.Templates;

namespace ScaleOut.Specs;

/// <summary>Where a run's documents come from. The descriptions are the help of schema and console.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<DocumentKind>))]
public enum DocumentKind
{
    [Description("{ id, KeyNumber, SomeText, SomeCount, PartitionKey }, about 155 bytes, the key a guid")]
    PerfTest,

    [Description("a device's state, about 640 bytes, the key its id, or ownerId, which no two devices share")]
    Device,

    [Description("rows of a CSV file, or generated ones (50 columns, about 1,725 bytes), the key a column such as the airport")]
    Flights,

    [Description("a JSON object with placeholders")]
    Template,
}

/// <summary>What the documents of a run look like, as far as keys and charges depend on it.</summary>
public sealed record DocumentShape
{
    /// <summary>A spec is asked for its shape once for each worker, and a template takes long to compile.</summary>
    private static readonly ConditionalWeakTable<DocumentSpec, DocumentShape> Shapes = [];

    /// <summary>Typical size of the JSON in UTF-8 bytes.</summary>
    public required int Bytes { get; init; }

    /// <summary>Paths of the scalars that an index covers; <c>id</c> is not charged as one.</summary>
    public required IReadOnlyList<string> LeafPaths { get; init; }

    /// <summary>Paths that can be the partition key, the default first.</summary>
    public required IReadOnlyList<string> PartitionKeyPaths { get; init; }

    /// <summary>Those of <see cref="PartitionKeyPaths"/> whose value the documents of a batch share.</summary>
    public required IReadOnlyList<string> BatchKeyPaths { get; init; }

    public string DefaultPartitionKeyPath => PartitionKeyPaths[0];

    /// <summary>The path whose value no two documents share.</summary>
    public const string UniquePath = "/id";

    private static readonly DocumentShape PerfTest = new()
    {
        Bytes = 155,
        LeafPaths = ["/KeyNumber", "/SomeText", "/SomeCount", "/PartitionKey"],
        PartitionKeyPaths = ["/PartitionKey", UniquePath],
        BatchKeyPaths = ["/PartitionKey"],
    };

    private static readonly DocumentShape Device = new()
    {
        Bytes = 640,
        LeafPaths =
        [
            "/ownerId", "/number", "/model", "/firmware", "/status", "/lastSeen", "/location/latitude", "/location/longitude",
            "/location/site", "/readings/temperature", "/readings/humidity", "/readings/battery", "/readings/signal",
            "/tags/[]", "/tags/[]", "/tags/[]", "/note",
        ],
        PartitionKeyPaths = [UniquePath, "/ownerId"],
        BatchKeyPaths = [],
    };

    /// <summary>
    /// The shape of a run's documents. Of a CSV file it assumes the columns and sizes of generated rows, unless the columns are given.
    /// </summary>
    public static DocumentShape From(DocumentSpec document)
    {
        ArgumentNullException.ThrowIfNull(document);
        return Shapes.GetValue(document, Create);
    }

    private static DocumentShape Create(DocumentSpec document) => document.Kind switch
    {
        DocumentKind.PerfTest => PerfTest,
        DocumentKind.Device => Device,
        DocumentKind.Flights => Flights(document),
        DocumentKind.Template => FromTemplate(DocumentTemplate.Compile(document.Template ?? "{}")),
        var kind => throw new ArgumentOutOfRangeException(nameof(document), kind, "no such kind of document"),
    };

    private static DocumentShape Flights(DocumentSpec document)
    {
        var columns = (document.Columns ?? FlightColumns.All).Append(document.FlightsKeyColumn).Distinct().ToList();
        return new()
        {
            Bytes = FlightColumns.BytesOf(columns.Count),
            LeafPaths = [.. columns.Select(column => $"/{column}")],
            PartitionKeyPaths = [$"/{document.FlightsKeyColumn}", UniquePath],
            BatchKeyPaths = [$"/{document.FlightsKeyColumn}"],
        };
    }

    private static DocumentShape FromTemplate(DocumentTemplate template)
    {
        var properties = template.Texts.Keys.OrderBy(name => name == template.KeyProperty ? 0 : name == "id" ? 1 : 2);
        return new()
        {
            Bytes = template.Parts.Sum(TemplateSize.Typical),
            LeafPaths = template.LeafPaths,
            PartitionKeyPaths = [.. properties.Select(name => $"/{name}")],
            BatchKeyPaths = [.. template.Texts.Where(text => text.Value is [{ Kind: PlaceholderKind.Key }]).Select(text => $"/{text.Key}")],
        };
    }
}
