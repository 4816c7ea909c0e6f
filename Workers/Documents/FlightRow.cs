using System.Globalization;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// The values of one generated flight, by column. Times, delays and distances of a row fit each other. The column says whether a value is
/// text or a number.
/// </summary>
internal static class FlightRow
{
    private const int LongestRemark = 732;

    private static readonly string[] Airlines =
        ["WN", "DL", "AA", "OO", "UA", "YX", "MQ", "B6", "OH", "9E", "AS", "NK", "YV", "F9", "QX", "G4", "HA"];
    private static readonly DateTime FirstDay = new(2025, 1, 1, 0, 0, 0, DateTimeKind.Unspecified);

    private static readonly HashSet<string> TextColumns =
    [
        "FlightDate", "Reporting_Airline", "Tail_Number", "Origin", "OriginCityName", "OriginState", "OriginStateName", "Dest",
        "DestCityName", "DestState", "DestStateName",
        "CRSDepTime", "DepTime", "DepTimeBlk", "WheelsOff", "WheelsOn", "CRSArrTime", "ArrTime", "ArrTimeBlk", "Remarks",
    ];

    /// <summary>Whether the column's values are texts in JSON.</summary>
    public static bool IsText(string column) => TextColumns.Contains(column);

    /// <summary>Makes a row.</summary>
    /// <param name="seed">Of the run.</param>
    /// <param name="number">Row number.</param>
    /// <param name="keyColumn">The column whose value is given.</param>
    /// <param name="key">Its value, on which others may depend; null to draw it like all others.</param>
    public static string[] Make(ulong seed, long number, string keyColumn, string? key)
    {
        var random = new StableRandom(seed, number);
        var origin = Airports.Pick(ref random);
        var dest = Airports.Pick(ref random);
        var airline = random.Pick<string>(Airlines);
        if (key is not null)
        {
            origin = keyColumn == "Origin" ? Airports.Find(key) ?? origin : origin;
            dest = keyColumn == "Dest" ? Airports.Find(key) ?? dest : dest;
            airline = keyColumn == "Reporting_Airline" ? key : airline;
        }

        var day = FirstDay.AddDays(random.Range(0, 364));
        var planned = (int)random.Range(5 * 60, 23 * 60);
        var distance = (int)random.Range(90, 2_700);
        var air = 18 + (distance / 8) + (int)random.Range(-5, 15);
        var (taxiOut, taxiIn) = ((int)random.Range(6, 30), (int)random.Range(3, 14));
        var elapsed = air + 26;
        var delay = random.Range(0, 4) > 0 ? (int)random.Range(-10, 5) : (int)random.Range(6, 180);
        var arrival = delay + taxiOut + air + taxiIn - elapsed;
        var (off, on) = (planned + delay + taxiOut, planned + delay + taxiOut + air);
        var index = 0;
        var values = new string[FlightColumns.All.Count];
        void Add(string value) => values[index++] = value;
        void Number(int value) => Add(value.ToString(CultureInfo.InvariantCulture));

        Number(day.Year);
        Number(((day.Month - 1) / 3) + 1);
        Number(day.Month);
        Number(day.Day);
        Number(((int)day.DayOfWeek + 6) % 7 + 1);
        Add(day.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture));
        Add(airline);
        Number(19_300 + Math.Abs(Array.IndexOf(Airlines, airline)));
        Add(string.Create(CultureInfo.InvariantCulture, $"N{random.Range(100, 999)}{airline}"));
        Number((int)random.Range(1, 6_999));
        foreach (var airport in new[] { origin, dest })
        {
            Number(airport.Number);
            Number(30_000 + airport.Number);
            Add(airport.Code);
            Add($"{airport.City}, {airport.State}");
            Add(airport.State);
            Add(StateNames.From(airport.State));
            Number(airport.Number % 93);
        }

        Add(Clock(planned));
        Add(Clock(planned + delay));
        Number(delay);
        Number(Math.Max(0, delay));
        Number(delay >= 15 ? 1 : 0);
        Number(Math.Clamp(delay / 15, -2, 12));
        Add(Block(planned));
        Number(taxiOut);
        Add(Clock(off));
        Add(Clock(on));
        Number(taxiIn);
        Add(Clock(planned + elapsed));
        Add(Clock(on + taxiIn));
        Number(arrival);
        Number(Math.Max(0, arrival));
        Number(arrival >= 15 ? 1 : 0);
        Number(Math.Clamp(arrival / 15, -2, 12));
        Add(Block(planned + elapsed));
        Number(0);
        Number(0);
        Number(elapsed);
        Number(taxiOut + air + taxiIn);
        Number(air);
        Number(distance);
        Number(Math.Min(11, (distance / 250) + 1));
        Add(Remark(ref random));
        if (key is not null)
            values[FlightColumns.IndexOf(keyColumn)] = key;
        return values;
    }

    private static string Remark(ref StableRandom random)
    {
        Span<byte> buffer = stackalloc byte[LongestRemark + 20];
        var json = new JsonText(buffer);
        FillerWords.Write(ref json, ref random, (int)random.Range(LongestRemark - 60, LongestRemark));
        return System.Text.Encoding.ASCII.GetString(json.Written);
    }

    private static string Clock(int minutes)
    {
        minutes = ((minutes % 1_440) + 1_440) % 1_440;
        return string.Create(CultureInfo.InvariantCulture, $"{minutes / 60:00}{minutes % 60:00}");
    }

    private static string Block(int minutes) =>
        string.Create(CultureInfo.InvariantCulture, $"{minutes / 60 % 24:00}00-{minutes / 60 % 24:00}59");
}
