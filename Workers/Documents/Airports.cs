namespace ScaleOut.Workers.Documents;

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

    private static readonly double[] Cumulative = Accumulate();

    /// <summary>By rank.</summary>
    public static IReadOnlyList<Airport> All { get; } =
        [.. List.Split('|').Select((text, rank) => text.Split(' ') is [var code, var city, var state]
            ? new Airport(code, city.Replace('_', ' '), state, 10_100 + (37 * rank))
            : throw new FormatException(text))];

    private static readonly Dictionary<string, Airport> ByCode = All.ToDictionary(airport => airport.Code, StringComparer.Ordinal);

    /// <summary>The airport of a code; null for one that is none of them.</summary>
    public static Airport? Find(string code) => ByCode.GetValueOrDefault(code);

    /// <summary>One of them, by weight.</summary>
    public static Airport Pick(ref StableRandom random)
    {
        var index = Array.BinarySearch(Cumulative, random.Share() * Cumulative[^1]);
        return All[Math.Min(index < 0 ? ~index : index + 1, All.Count - 1)];
    }

    private static double[] Accumulate()
    {
        var sums = new double[List.Count(letter => letter == '|') + 1];
        for (var rank = 0; rank < sums.Length; rank++)
            sums[rank] = (rank == 0 ? 0 : sums[rank - 1]) + Math.Pow(rank + 1, -Exponent);
        return sums;
    }
}

/// <summary>An airport of generated flights.</summary>
/// <param name="Code">IATA code.</param>
/// <param name="City">City that it serves.</param>
/// <param name="State">Two letters.</param>
/// <param name="Number">Its number in the rows.</param>
internal sealed record Airport(string Code, string City, string State, int Number);
