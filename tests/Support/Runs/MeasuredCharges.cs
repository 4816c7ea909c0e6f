using CsvHelper;

namespace ScaleOut.Tests.Support.Runs;

/// <summary>The public measurements in plans/published.</summary>
internal static class MeasuredCharges
{
    /// <summary>Points that the model does not meet, each with the reason.</summary>
    public static readonly IReadOnlyDictionary<string, string> Exceptions = new Dictionary<string, string>(StringComparer.Ordinal)
    {
        ["R150"] = "an item's ttl, which is not modelled",
        ["R196d"] = "a delete in the batch that patched the document: one entry fewer than it has",
        ["L9a"] = "\"about 15\"; 14.29 is counted",
        ["L9b"] = "\"about 50\", in a later edition 48; 47.05 is counted",
        ["R196t"] = "missed by 0.0002 RU: the parts of a patch are known to three decimals",
    };

    private static readonly JsonSerializerOptions Cells = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        NumberHandling = System.Text.Json.Serialization.JsonNumberHandling.AllowReadingFromString,
    };

    public static IReadOnlyList<MeasuredCharge> Operations { get; } = Read<MeasuredCharge>("charges.csv");

    public static IReadOnlyList<MeasuredQuery> Queries { get; } = Read<MeasuredQuery>("query-charges.csv");

    private static List<T> Read<T>(string file)
    {
        using var text = File.OpenText(Path.Combine(RepositoryFiles.Root, "plans", "published", file));
        using var csv = CsvReader.Create(text, new CsvReaderOptions { Separator = ',', DetectSeparatorHint = false });
        csv.ReadHeader();
        string[] names = [.. csv.Headers];
        var rows = new List<T>();
        while (csv.Read())
        {
            var row = new JsonObject(names.Select((name, i) =>
                KeyValuePair.Create(name, csv.GetString(i) is { Length: > 0 } cell ? JsonValue.Create(cell) : (JsonNode?)null)));
            rows.Add(row.Deserialize<T>(Cells)!);
        }

        return rows;
    }
}

/// <summary>What both kinds of points have.</summary>
internal abstract record MeasuredPoint
{
    public required string Id { get; init; }

    public required double RequestUnits { get; init; }

    /// <summary>0 for an exact charge.</summary>
    public required double RoundedTo { get; init; }

    /// <summary><c>fit</c>, <c>test</c> and others.</summary>
    public required string Use { get; init; }

    public required string Consistency { get; init; }

    public int Replicas => Consistency == "Strong" ? ChargeModel.StrongReadFactor : 1;

    public abstract double Counted { get; }

    /// <summary>Above 0 if the model charges more than was measured.</summary>
    public double Error => (Counted / RequestUnits) - 1;

    /// <summary>Whether the model's charge could be the measured one before it was rounded.</summary>
    public bool IsWithinRounding => Math.Abs(Counted - RequestUnits) <= Math.Max(RoundedTo / 2, 5e-9) + (RoundedTo == 0.01 ? 1e-9 : 0);
}

/// <summary>A row of charges.csv.</summary>
internal sealed record MeasuredCharge : MeasuredPoint
{
    /// <summary><c>create</c>, <c>replace</c> and others.</summary>
    public required string Kind { get; init; }

    /// <summary>Above 1 for a batch.</summary>
    public required int Operations { get; init; }

    /// <summary>JSON of the document, if it is known.</summary>
    public required long? DocumentBytes { get; init; }

    /// <summary>JSON of the new document, if a replace changes the size.</summary>
    public required long? NewBytes { get; init; }

    /// <summary>Index entries of the document; of a replace those that went or came.</summary>
    public required int? Entries { get; init; }

    /// <summary>Operations of a patch.</summary>
    public required int? Patches { get; init; }

    /// <summary>Unique keys of the container; null for none.</summary>
    public required int? UniqueKeys { get; init; }

    public override double Counted
    {
        get
        {
            var charge = Exact();
            return RoundedTo == 0.01 ? charge.Rounded().Value : charge.Value;
        }
    }

    private RequestUnits Exact()
    {
        var model = ChargeModel.Default;
        var (bytes, entries, keys) = (DocumentBytes ?? 0, Entries ?? 0, UniqueKeys ?? 0);
        return Kind switch
        {
            "create" or "delete" => (model.Create(bytes, entries) + ChargeModel.UniqueKeys(keys)) * Operations,
            "replace" => model.Replace(bytes, NewBytes ?? bytes, entries),
            "patch" => model.Patch(model.Replace(bytes, bytes, entries), Patches!.Value),
            "read" => model.Read(bytes) * Replicas,
            "conflict" => model.Conflict(entries, keys),
            "rejected" => model.Rejected,
            "missing" => model.EmptyRead,
            "throttled" => ScaleOut.Charges.RequestUnits.From(ChargeModel.Throttled),
            _ => throw new NotSupportedException(Kind),
        };
    }
}

/// <summary>A row of query-charges.csv. All counts are of all pages together, but the look-ups are those of each page.</summary>
internal sealed record MeasuredQuery : MeasuredPoint
{
    public required string What { get; init; }

    public required int Pages { get; init; }

    public required int Lookups { get; init; }

    public required int Loaded { get; init; }

    /// <summary>Of each document.</summary>
    public required double StoredBytes { get; init; }

    public required int Found { get; init; }

    public required int Filtered { get; init; }

    /// <summary>Results that are documents.</summary>
    public required int Whole { get; init; }

    /// <summary>Results that are projected from documents.</summary>
    public required int Projected { get; init; }

    /// <summary>Of each projected result.</summary>
    public required int Properties { get; init; }

    /// <summary>Of each projected result.</summary>
    public required double ResultBytes { get; init; }

    public override double Counted
    {
        get
        {
            var query = ChargeModel.Default.Query;
            var (stored, result) = ((long)Math.Round(StoredBytes), (long)Math.Round(ResultBytes));
            var all = (Pages * query.OfPage(Lookups)) + (Loaded * query.OfLoaded(stored, Found == 1, Filtered == 1))
                + (Whole * query.OfWhole(stored)) + (Projected * query.OfProjected(result, Properties, Filtered == 1));
            return (ScaleOut.Charges.RequestUnits.From(all) * Replicas).Rounded().Value;
        }
    }
}
