namespace ScaleOut.Workers.Documents;

/// <summary>
/// Generated flight rows: 50 columns, about 1,725 bytes, airports with the skew of <see cref="Airports"/>. The key is a column. The rows of
/// a batch share its value.
/// </summary>
/// <param name="keyIsId">Whether the partition key is the id instead of the column.</param>
internal sealed class FlightDocuments(string runId, DocumentSpec document, bool keyIsId) : IDocumentSource
{
    private readonly DocumentIdentity _ids = new(runId, "id");
    private readonly ulong _seed = new DocumentIdentity(runId, "row").Seed;
    private readonly ulong _batchSeed = new DocumentIdentity(runId, "batch").Seed;
    private readonly string _keyColumn = document.FlightsKeyColumn;
    private readonly int _keyIndex = FlightColumns.IndexOf(document.FlightsKeyColumn);
    private readonly (int Index, byte[] Name, bool IsText)[] _columns =
    [
        .. (document.Columns ?? FlightColumns.All).Append(document.FlightsKeyColumn).Distinct()
            .Select(column => (
                FlightColumns.IndexOf(column),
                Encoding.UTF8.GetBytes($",\"{column}\":"),
                FlightColumns.IsText(column) || column == document.FlightsKeyColumn)),
    ];

    public int MaxBytes => 3_072;

    public string IdOf(long number) => _ids.From(number).ToString();

    public string KeyOf(long number) => keyIsId ? IdOf(number) : FlightRow.Make(_seed, number, _keyColumn, key: null)[_keyIndex];

    public string KeyOfBatch(long batch) => FlightRow.Make(_batchSeed, batch, _keyColumn, key: null)[_keyIndex];

    public int Write(long number, string key, Span<byte> buffer)
    {
        var values = FlightRow.Make(_seed, number, _keyColumn, keyIsId ? null : key);
        var json = new JsonText(buffer);
        json.Raw("{\"id\":\""u8);
        json.Guid(_ids.From(number));
        json.Raw("\""u8);
        foreach (var (index, name, isText) in _columns)
        {
            json.Raw(name);
            if (isText)
                json.Raw("\""u8);
            json.Text(values[index]);
            if (isText)
                json.Raw("\""u8);
        }

        json.Raw("}"u8);
        return json.Length;
    }
}

/// <summary>The values of one generated flight, by column. Times, delays and distances of a row fit each other.</summary>
internal static class FlightRow
{
    private const int MaxRemark = 732;

    private static readonly string[] Airlines =
        ["WN", "DL", "AA", "OO", "UA", "YX", "MQ", "B6", "OH", "9E", "AS", "NK", "YV", "F9", "QX", "G4", "HA"];
    private static readonly DateTime FirstDay = new(2025, 1, 1, 0, 0, 0, DateTimeKind.Unspecified);

    /// <param name="keyColumn">The column whose value is given.</param>
    /// <param name="key">Value of that column. Other columns may depend on it. Null draws it at random, as for all other columns.</param>
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

        var day = random.Range(0, 364);
        var planned = (int)random.Range(5 * 60, 23 * 60);
        var distance = (int)random.Range(90, 2_700);
        var air = 18 + (distance / 8) + (int)random.Range(-5, 15);
        var (taxiOut, taxiIn) = ((int)random.Range(6, 30), (int)random.Range(3, 14));
        var elapsed = air + 26;
        var delay = random.Range(0, 4) > 0 ? (int)random.Range(-10, 5) : (int)random.Range(6, 180);
        var arrival = delay + taxiOut + air + taxiIn - elapsed;
        var row = new Values(new string[FlightColumns.All.Length]);
        AddDay(ref row, FirstDay.AddDays(day));
        row.Add(airline);
        row.Add(19_300 + Math.Abs(Array.IndexOf(Airlines, airline)));
        row.Add($"N{random.Range(100, 999)}{airline}");
        row.Add((int)random.Range(1, 6_999));
        AddAirport(ref row, origin);
        AddAirport(ref row, dest);
        AddDeparture(ref row, planned, delay);
        row.Add(taxiOut);
        row.Add(Clock(planned + delay + taxiOut));
        row.Add(Clock(planned + delay + taxiOut + air));
        row.Add(taxiIn);
        row.Add(Clock(planned + elapsed));
        row.Add(Clock(planned + delay + taxiOut + air + taxiIn));
        AddDelay(ref row, arrival);
        row.Add(Block(planned + elapsed));
        row.Add(0);
        row.Add(0);
        row.Add(elapsed);
        row.Add(taxiOut + air + taxiIn);
        row.Add(air);
        row.Add(distance);
        row.Add(Math.Min(11, (distance / 250) + 1));
        row.Add(Remark(ref random));
        if (key is not null)
            row.All[FlightColumns.IndexOf(keyColumn)] = key;
        return row.All;
    }

    private static void AddDay(ref Values row, DateTime day)
    {
        row.Add(day.Year);
        row.Add(((day.Month - 1) / 3) + 1);
        row.Add(day.Month);
        row.Add(day.Day);
        row.Add(((int)day.DayOfWeek + 6) % 7 + 1);
        row.Add(day.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture));
    }

    private static void AddAirport(ref Values row, Airport airport)
    {
        row.Add(airport.Number);
        row.Add(30_000 + airport.Number);
        row.Add(airport.Code);
        row.Add($"{airport.City}, {airport.State}");
        row.Add(airport.State);
        row.Add(StateNames.From(airport.State));
        row.Add(airport.Number % 93);
    }

    private static void AddDeparture(ref Values row, int planned, int delay)
    {
        row.Add(Clock(planned));
        row.Add(Clock(planned + delay));
        AddDelay(ref row, delay);
        row.Add(Block(planned));
    }

    private static void AddDelay(ref Values row, int minutes)
    {
        row.Add(minutes);
        row.Add(Math.Max(0, minutes));
        row.Add(minutes >= 15 ? 1 : 0);
        row.Add(Math.Clamp(minutes / 15, -2, 12));
    }

    private static string Remark(ref StableRandom random)
    {
        Span<byte> buffer = stackalloc byte[MaxRemark + 20];
        var json = new JsonText(buffer);
        FillerWords.Write(ref json, ref random, (int)random.Range(MaxRemark - 60, MaxRemark));
        return Encoding.ASCII.GetString(json.Written);
    }

    private static string Clock(int minutes)
    {
        minutes = ((minutes % 1_440) + 1_440) % 1_440;
        return $"{minutes / 60:00}{minutes % 60:00}";
    }

    private static string Block(int minutes) =>
        $"{minutes / 60 % 24:00}00-{minutes / 60 % 24:00}59";

    /// <summary>Takes the values in the order of the columns.</summary>
    private struct Values(string[] all)
    {
        private int _count;

        public readonly string[] All => all;

        public void Add(string value) => all[_count++] = value;

        public void Add(int value) => Add(value.ToString(CultureInfo.InvariantCulture));
    }
}

/// <summary>
/// A hundred airports of the United States, the busiest first, drawn with weights of rank^-0.6: the first then has 7% of all flights and
/// the first ten 31%, about as in the country's statistics.
/// </summary>
internal static class Airports
{
    private const double Exponent = 0.6;

    private const string List =
        "ATL Atlanta GA|ORD Chicago IL|DFW Dallas TX|DEN Denver CO|CLT Charlotte NC|LAX Los_Angeles CA|PHX Phoenix AZ|LAS Las_Vegas NV|"
            + "SEA Seattle WA|IAH Houston TX|"
        + "LGA New_York NY|SFO San_Francisco CA|DTW Detroit MI|MSP Minneapolis MN|BOS Boston MA|DCA Washington VA|EWR Newark NJ|"
        + "MCO Orlando FL|SLC Salt_Lake_City UT|JFK New_York NY|"
        + "PHL Philadelphia PA|MIA Miami FL|BNA Nashville TN|FLL Fort_Lauderdale FL|AUS Austin TX|MDW Chicago IL|SAN San_Diego CA|"
        + "BWI Baltimore MD|TPA Tampa FL|IAD Washington VA|"
        + "DAL Dallas TX|STL St._Louis MO|PDX Portland OR|HOU Houston TX|RDU Raleigh NC|SJC San_Jose CA|MCI Kansas_City MO|OAK Oakland CA|"
        + "SMF Sacramento CA|CLE Cleveland OH|"
        + "IND Indianapolis IN|SNA Santa_Ana CA|PIT Pittsburgh PA|MSY New_Orleans LA|SAT San_Antonio TX|CMH Columbus OH|CVG Cincinnati KY|"
        + "JAX Jacksonville FL|RSW Fort_Myers FL|BUR Burbank CA|"
        + "MKE Milwaukee WI|HNL Honolulu HI|OMA Omaha NE|ABQ Albuquerque NM|ONT Ontario CA|BDL Hartford CT|MEM Memphis TN|OGG Kahului HI|"
        + "RIC Richmond VA|OKC Oklahoma_City OK|"
        + "BUF Buffalo NY|SDF Louisville KY|CHS Charleston SC|ANC Anchorage AK|TUS Tucson AZ|PVD Providence RI|ELP El_Paso TX|RNO Reno NV|"
        + "BOI Boise ID|ORF Norfolk VA|"
        + "GRR Grand_Rapids MI|LIT Little_Rock AR|TUL Tulsa OK|BHM Birmingham AL|ALB Albany NY|ROC Rochester NY|DSM Des_Moines IA|"
        + "PBI West_Palm_Beach FL|SYR Syracuse NY|GEG Spokane WA|"
        + "SAV Savannah GA|KOA Kona HI|LIH Lihue HI|COS Colorado_Springs CO|PSP Palm_Springs CA|TYS Knoxville TN|GSP Greer SC|"
        + "MSN Madison WI|PNS Pensacola FL|LGB Long_Beach CA|"
        + "XNA Fayetteville AR|ICT Wichita KS|HSV Huntsville AL|DAY Dayton OH|FAT Fresno CA|LEX Lexington KY|CID Cedar_Rapids IA|"
        + "SBA Santa_Barbara CA|MAF Midland TX|BTV Burlington VT";

    /// <summary>All airports, the busiest first.</summary>
    public static IReadOnlyList<Airport> All { get; } =
        [.. List.Split('|').Select((text, rank) => text.Split(' ') is [var code, var city, var state]
            ? new Airport(code, city.Replace('_', ' '), state, 10_100 + (37 * rank))
            : throw new FormatException(text))];

    private static readonly ZipfDraw Ranks = ZipfDraw.For(All.Count, Exponent);

    private static readonly Dictionary<string, Airport> ByCode = All.ToDictionary(airport => airport.Code, StringComparer.Ordinal);

    /// <summary>Null for an unknown code.</summary>
    public static Airport? Find(string code) => ByCode.GetValueOrDefault(code);

    /// <summary>Draws an airport by weight.</summary>
    public static Airport Pick(ref StableRandom random) => All[Ranks.RankAt(random.Share())];
}

internal sealed record Airport(string Code, string City, string State, int Number);
