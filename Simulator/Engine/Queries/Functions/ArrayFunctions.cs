namespace ScaleOut.Simulator.Engine.Queries.Functions;

/// <summary>Functions on arrays and objects.</summary>
internal static class ArrayFunctions
{
    public static readonly Function[] All =
    [
        new("ARRAY_CONTAINS", 2, 3, Contains, UsesIndex: true),
        new("ARRAY_CONTAINS_ANY", 2, int.MaxValue, (_, arguments) => ContainsSome(arguments, all: false), UsesIndex: true),
        new("ARRAY_CONTAINS_ALL", 2, int.MaxValue, (_, arguments) => ContainsSome(arguments, all: true), UsesIndex: true),
        new("ARRAY_LENGTH", 1, 1, (_, arguments) =>
            arguments[0].Type == DatumType.Array ? Datum.From(arguments[0].Length) : Datum.Undefined),
        new("ARRAY_SLICE", 2, 3, Slice),
        new("ARRAY_CONCAT", 2, int.MaxValue, Concat),
        new("SETINTERSECT", 2, 2, (scope, arguments) => Combine(scope, arguments, (left, right) => left.Where(right.Contains))),
        new("SETUNION", 2, 2, (scope, arguments) => Combine(scope, arguments, (left, right) => left.Concat(right))),
        new("SETDIFFERENCE", 2, 2, (scope, arguments) =>
            Combine(scope, arguments, (left, right) => left.Where(hash => !right.Contains(hash)))),
        new("CHOOSE", 2, int.MaxValue, Choose),
        new("OBJECTTOARRAY", 1, 3, ObjectToArray),
        new("DOCUMENTID", 1, 1, (_, arguments) => DocumentId(arguments[0])),
    ];

    private static Datum Contains(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        (var array, var sought) = (arguments[0], arguments[1]);
        if (array.Type != DatumType.Array || !sought.IsDefined)
            return Datum.Undefined;
        if (arguments.Length == 3 && arguments[2] is { IsDefined: true, IsBoolean: false })
            return Datum.Undefined;
        var isPartial = arguments.Length == 3 && arguments[2].IsTrue && sought.Type == DatumType.Object;
        return Datum.From(array.Items().Any(item => isPartial
            ? sought.Properties().All(one => DatumComparison.AreEqual(one.Value, item.Property(one.Key)))
                && item.Type == DatumType.Object
            : DatumComparison.AreEqual(item, sought)));
    }

    private static Datum ContainsSome(ReadOnlySpan<Datum> arguments, bool all)
    {
        if (arguments[0].Type != DatumType.Array)
            return Datum.Undefined;
        var items = arguments[0].Items().Select(DatumHash.From).ToHashSet();
        foreach (var sought in arguments[1..])
        {
            if (items.Contains(DatumHash.From(sought)) != all)
                return Datum.From(!all);
        }

        return Datum.From(all);
    }

    private static Datum Slice(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        var count = int.MaxValue;
        if (arguments[0].Type != DatumType.Array || !TextFunctions.TryInteger(arguments[1], out var start)
            || (arguments.Length == 3 && !TextFunctions.TryInteger(arguments[2], out count)))
            return Datum.Undefined;
        var length = arguments[0].Length;
        var first = start < 0 ? Math.Max((long)start + length, 0) : start;
        var taken = (int)Math.Max(0, Math.Min(count, length - first));
        scope.Produce(taken);
        return taken == 0 ? Datum.EmptyArray : Datum.From([.. arguments[0].Items().Skip((int)first).Take(taken)]);
    }

    private static Datum Concat(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        var items = new List<Datum>();
        foreach (var array in arguments)
        {
            if (array.Type != DatumType.Array)
                return Datum.Undefined;
            scope.Produce(array.Length);
            items.AddRange(array.Items());
        }

        return Datum.From(items.ToArray());
    }

    /// <summary>The distinct items whose hashes are chosen from the distinct hashes of both arrays.</summary>
    private static Datum Combine(
        QueryScope scope, ReadOnlySpan<Datum> arguments, Func<IEnumerable<UInt128>, HashSet<UInt128>, IEnumerable<UInt128>> choose)
    {
        if (arguments[0].Type != DatumType.Array || arguments[1].Type != DatumType.Array)
            return Datum.Undefined;
        scope.Produce(arguments[0].Length + arguments[1].Length);
        var items = new Dictionary<UInt128, Datum>();
        (var left, var right) = (Read(arguments[0]), Read(arguments[1]));
        return Datum.From([.. choose(left, [.. right]).Distinct().Select(hash => items[hash])]);

        List<UInt128> Read(Datum array)
        {
            var hashes = new List<UInt128>();
            foreach (var item in array.Items())
            {
                var hash = DatumHash.From(item);
                items.TryAdd(hash, item);
                hashes.Add(hash);
            }

            return hashes;
        }
    }

    private static Datum Choose(QueryScope scope, ReadOnlySpan<Datum> arguments) =>
        TextFunctions.TryInteger(arguments[0], out var index) && index >= 1 && index < arguments.Length
            ? arguments[index]
            : Datum.Undefined;

    private static Datum ObjectToArray(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        string[] names = ["k", "v"];
        for (var i = 1; i < arguments.Length; i++)
        {
            if (arguments[i].Type != DatumType.Text)
                return Datum.Undefined;
            names[i - 1] = arguments[i].Text;
        }

        if (arguments[0].Type != DatumType.Object)
            return Datum.Undefined;
        KeyValuePair<string, Datum>[] properties = [.. arguments[0].Properties()];
        scope.Produce(properties.Length);
        return Datum.From([.. properties.Select(one => Datum.From(
            [KeyValuePair.Create(names[0], Datum.From(one.Key)), KeyValuePair.Create(names[1], one.Value)]))]);
    }

    /// <summary>The number of a document within its physical partition, which its resource id ends with.</summary>
    private static Datum DocumentId(Datum document) =>
        document.Property("_rid") is { Type: DatumType.Text } rid && SystemProperties.NumberOf(rid.Text) is { } number
            ? Datum.From(number)
            : Datum.Undefined;
}
