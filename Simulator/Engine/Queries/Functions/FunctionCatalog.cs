namespace ScaleOut.Simulator.Engine.Queries.Functions;

/// <summary>The functions and aggregates that queries may call.</summary>
internal static class FunctionCatalog
{
    private static readonly FrozenDictionary<string, Function> All =
        new[] { TypeFunctions.All, TextFunctions.All, TextConversions.All, ArrayFunctions.All, MathFunctions.All, DateFunctions.All }
            .SelectMany(functions => functions)
            .ToFrozenDictionary(function => function.Name, StringComparer.OrdinalIgnoreCase);

    private static readonly FrozenDictionary<string, AggregateKind> Aggregates = new Dictionary<string, AggregateKind>
    {
        ["COUNT"] = AggregateKind.Count,
        ["SUM"] = AggregateKind.Sum,
        ["AVG"] = AggregateKind.Average,
        ["MIN"] = AggregateKind.Min,
        ["MAX"] = AggregateKind.Max,
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    /// <summary>Prefixes of the names of functions that are not simulated, and the features to which they belong.</summary>
    private static readonly (string Begin, string Feature)[] NotSimulated =
    [
        ("ST_", "spatial queries"), ("VectorDistance", "vector search"), ("FullText", "full-text search"), ("RRF", "hybrid search"),
        ("COUNTIF", "further aggregates"), ("MAKELIST", "further aggregates"), ("MAKESET", "further aggregates"),
    ];

    /// <exception cref="RequestException">400: no such function, or the wrong number of arguments.</exception>
    /// <param name="place">Where the call begins and ends in the query's text.</param>
    public static Expression Call(string name, IReadOnlyList<Expression> arguments, TextPlace place)
    {
        if (Aggregates.TryGetValue(name, out var aggregate))
        {
            return arguments is [var argument]
                ? new Aggregate(aggregate, argument, place)
                : throw WrongCount(name.ToUpperInvariant(), "1", place);
        }

        if (!All.TryGetValue(name, out var function))
        {
            var feature = NotSimulated
                .FirstOrDefault(one => name.StartsWith(one.Begin, StringComparison.OrdinalIgnoreCase)).Feature;
            throw feature is null
                ? RequestException.InQuery(
                    "SC2005", place with { End = place.Start + name.Length }, $"'{name}' is not a recognized built-in function name.")
                : RequestException.Rejected($"'{name}' is not simulated: it belongs to {feature}.");
        }

        return arguments.Count >= function.MinArguments && arguments.Count <= function.MaxArguments
            ? new Call(function, arguments)
            : throw WrongCount(function.Name, Count(function), place);
    }

    private static RequestException WrongCount(string name, string count, TextPlace place) =>
        RequestException.InQuery("SC2050", place, $"The {name} function requires {count} argument(s).");

    private static string Count(Function function) =>
        (function.MinArguments, function.MaxArguments) switch
        {
            (var least, var most) when least == most => $"{least}",
            (var least, int.MaxValue) => $"at least {least}",
            (var least, var most) => $"{least} to {most}",
        };
}

/// <summary>Functions of a value's type, and IIF.</summary>
internal static class TypeFunctions
{
    public static readonly Function[] All =
    [
        Is("IS_DEFINED", value => value.IsDefined),
        Is("IS_NULL", value => value.Type == DatumType.Null),
        Is("IS_BOOL", value => value.IsBoolean),
        // The SDK's filters for resuming ORDER BY use this name.
        Is("IS_BOOLEAN", value => value.IsBoolean),
        Is("IS_NUMBER", value => value.Type == DatumType.Number),
        Is("IS_STRING", value => value.Type == DatumType.Text),
        Is("IS_ARRAY", value => value.Type == DatumType.Array),
        Is("IS_OBJECT", value => value.Type == DatumType.Object),
        Is("IS_PRIMITIVE", value => value.IsPrimitive),
        Is("IS_FINITE_NUMBER", value => value.Type == DatumType.Number, usesIndex: false),
        Is("IS_INTEGER", value => MathFunctions.TryLong(value, out _), usesIndex: false),
        new("IIF", 3, 3, (_, arguments) => arguments[0].IsTrue ? arguments[1] : arguments[2]),
    ];

    private static Function Is(string name, Func<Datum, bool> condition, bool usesIndex = true) =>
        new(name, 1, 1, (_, arguments) => Datum.From(condition(arguments[0])), usesIndex);
}
