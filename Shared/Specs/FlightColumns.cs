using System.Collections.Immutable;

namespace ScaleOut.Specs;

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
