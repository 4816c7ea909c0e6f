namespace ScaleOut.Specs;

/// <summary>The columns of generated flight rows, named as the on-time statistics of the US Bureau of Transportation Statistics name them.</summary>
public static class FlightColumns
{
    /// <summary>Airport of departure, an IATA code.</summary>
    public const string DefaultKey = "Origin";

    /// <summary>All 50, in their order.</summary>
    public static readonly IReadOnlyList<string> All =
    [
        "Year", "Quarter", "Month", "DayofMonth", "DayOfWeek", "FlightDate", "Reporting_Airline", "DOT_ID_Reporting_Airline", "Tail_Number", "Flight_Number_Reporting_Airline",
        "OriginAirportID", "OriginCityMarketID", "Origin", "OriginCityName", "OriginState", "OriginStateName", "OriginWac",
        "DestAirportID", "DestCityMarketID", "Dest", "DestCityName", "DestState", "DestStateName", "DestWac",
        "CRSDepTime", "DepTime", "DepDelay", "DepDelayMinutes", "DepDel15", "DepartureDelayGroups", "DepTimeBlk", "TaxiOut", "WheelsOff", "WheelsOn", "TaxiIn",
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
