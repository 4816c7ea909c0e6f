using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>Which documents a run puts.</summary>
public sealed record DocumentSpec
{
    /// <summary>Default <see cref="DocumentKind.PerfTest"/>.</summary>
    public DocumentKind Kind { get; init; } = DocumentKind.PerfTest;

    /// <summary>
    /// Of <see cref="DocumentKind.Flights"/>: path of a CSV file with a header, readable for every worker. A run with more documents than it has rows begins
    /// with the first row again. Null means generated rows.
    /// </summary>
    public string? Csv { get; init; }

    /// <summary>Of <see cref="DocumentKind.Flights"/>: columns that become properties; the key column always does. Null means all.</summary>
    public IReadOnlyList<string>? Columns { get; init; }

    /// <summary>Of <see cref="DocumentKind.Flights"/>: the column that is the partition key and groups batches. Null means <c>Origin</c>.</summary>
    public string? KeyColumn { get; init; }

    /// <summary>Beside <see cref="Csv"/>: what to do about broken rows. Null means <see cref="BrokenRowRule.Stop"/>.</summary>
    public BrokenRowRule? OnBrokenRow { get; init; }

    /// <summary>Exactly with <see cref="DocumentKind.Template"/>: JSON of an object of up to 16,384 characters, see <see cref="Templates.PlaceholderKind"/>.</summary>
    [JsonConverter(typeof(RawJsonConverter))]
    public string? Template { get; init; }

    /// <summary>The effective key column.</summary>
    [JsonIgnore]
    public string FlightsKeyColumn => KeyColumn ?? FlightColumns.DefaultKey;
}
