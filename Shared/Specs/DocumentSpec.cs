using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>Which documents a run writes.</summary>
public sealed record DocumentSpec
{
    /// <summary>MB of JSON that a document has at most ("Azure Cosmos DB service quotas").</summary>
    public const int MostMegabytes = 2;

    /// <summary>Longest <see cref="Template"/>, in characters of JSON.</summary>
    public const int LongestTemplate = 16_384;

    /// <summary>Longest <see cref="Csv"/>, in characters.</summary>
    public const int LongestPath = 1_000;

    /// <summary>Most <see cref="Columns"/>.</summary>
    public const int MostColumns = 250;

    /// <summary>Default <see cref="DocumentKind.PerfTest"/>.</summary>
    public DocumentKind Kind { get; init; } = DocumentKind.PerfTest;

    /// <summary>
    /// Of <see cref="DocumentKind.Flights"/>: path of a CSV file with a header, readable for every worker. A run with more documents than
    /// it has rows begins with the first row again. Null means generated rows.
    /// </summary>
    public string? Csv { get; init; }

    /// <summary>
    /// Of <see cref="DocumentKind.Flights"/>: columns that become properties; the key column always does. Null means all.
    /// </summary>
    public IReadOnlyList<string>? Columns { get; init; }

    /// <summary>
    /// Of <see cref="DocumentKind.Flights"/>: the column that is the partition key and groups batches. Null means <c>Origin</c>.
    /// </summary>
    public string? KeyColumn { get; init; }

    /// <summary>Beside <see cref="Csv"/>: what to do about broken rows. Null means <see cref="BrokenRowRule.Stop"/>.</summary>
    public BrokenRowRule? OnBrokenRow { get; init; }

    /// <summary>
    /// Exactly with <see cref="DocumentKind.Template"/>: JSON of an object, see
    /// <see cref="Templates.PlaceholderKind"/>.
    /// </summary>
    [JsonConverter(typeof(RawJsonConverter))]
    public string? Template { get; init; }

    /// <summary>The effective key column.</summary>
    [JsonIgnore]
    public string FlightsKeyColumn => KeyColumn ?? FlightColumns.DefaultKey;
}

/// <summary>What becomes of a run whose CSV file has broken rows.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<BrokenRowRule>))]
public enum BrokenRowRule
{
    /// <summary>It does not start; the error names the lines.</summary>
    Stop,

    /// <summary>It goes on without them; a warning names the lines and how many there are.</summary>
    Skip,
}

/// <summary>
/// The columns of generated flight rows, named as the on-time statistics of the US Bureau of Transportation Statistics name them.
/// </summary>
public static class FlightColumns
{
    /// <summary>Airport of departure, an IATA code.</summary>
    public const string DefaultKey = "Origin";

    /// <summary>All 50, in their order.</summary>
    public static readonly IReadOnlyList<string> All =
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

    /// <summary>Position of a column.</summary>
    /// <exception cref="ArgumentException">There is none of that name.</exception>
    public static int IndexOf(string column)
    {
        for (var index = 0; index < All.Count; index++)
        {
            if (All[index] == column)
                return index;
        }

        throw new ArgumentException($"There is no column '{column}'.", nameof(column));
    }

    /// <summary>Typical bytes of a generated document with so many columns, its id included.</summary>
    public static int BytesOf(int columns) => 1_725 * columns / 50;
}
