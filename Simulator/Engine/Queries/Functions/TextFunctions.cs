namespace ScaleOut.Simulator.Engine.Queries.Functions;

/// <summary>Functions on text. They are undefined for other arguments.</summary>
internal static class TextFunctions
{
    private const int MaxReplicated = 10_000;

    public static readonly Function[] All =
    [
        Search("CONTAINS", (text, sought, comparison) => text.Contains(sought, comparison)),
        Search("STARTSWITH", (text, sought, comparison) => text.StartsWith(sought, comparison)),
        Search("ENDSWITH", (text, sought, comparison) => text.EndsWith(sought, comparison)),
        Search("STRINGEQUALS", (text, other, comparison) => text.Equals(other, comparison)),
        new("INDEX_OF", 2, 3, IndexOf),
        new("REGEXMATCH", 2, 3, RegexMatch, UsesIndex: true),
        new("CONCAT", 2, int.MaxValue, Concat),
        OfText("LENGTH", (_, text) => Datum.From(text.Length)),
        Change("LOWER", text => text.ToLowerInvariant()),
        Change("UPPER", text => text.ToUpperInvariant()),
        Change("LTRIM", text => text.TrimStart()),
        Change("RTRIM", text => text.TrimEnd()),
        Change("TRIM", text => text.Trim()),
        Change("REVERSE", text => string.Create(text.Length, text, (span, from) =>
        {
            from.CopyTo(span);
            span.Reverse();
        })),
        new("SUBSTRING", 3, 3, (scope, arguments) => Substring(scope, arguments[0], arguments[1], arguments[2])),
        new("LEFT", 2, 2, (scope, arguments) => Substring(scope, arguments[0], Datum.From(0), arguments[1])),
        new("RIGHT", 2, 2, Right),
        new("REPLACE", 3, 3, Replace),
        new("REPLICATE", 2, 2, Replicate),
    ];

    private static Function OfText(string name, Func<QueryScope, string, Datum> body) => new(name, 1, 1, (scope, arguments) =>
        arguments[0].Type == DatumType.Text ? body(scope, arguments[0].Text) : Datum.Undefined);

    private static Function Change(string name, Func<string, string> change) => OfText(name, (scope, text) =>
    {
        scope.Produce(text.Length);
        return Datum.From(change(text));
    });

    /// <summary>A function of two texts and a flag for ignoring case.</summary>
    private static Function Search(string name, Func<string, string, StringComparison, bool> holds) => new(
        name, 2, 3,
        (_, arguments) =>
        {
            if (arguments[0].Type != DatumType.Text || arguments[1].Type != DatumType.Text)
                return Datum.Undefined;
            if (arguments.Length == 3 && !arguments[2].IsBoolean)
                return Datum.Undefined;
            var ignoresCase = arguments.Length == 3 && arguments[2].IsTrue;
            var comparison = ignoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
            return Datum.From(holds(arguments[0].Text, arguments[1].Text, comparison));
        },
        UsesIndex: true);

    private static Datum IndexOf(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || arguments[1].Type != DatumType.Text)
            return Datum.Undefined;
        var start = 0;
        if (arguments.Length == 3 && !TryInteger(arguments[2], out start))
            return Datum.Undefined;
        var text = arguments[0].Text;
        return start < 0 || start > text.Length
            ? Datum.From(-1)
            : Datum.From(text.IndexOf(arguments[1].Text, start, StringComparison.Ordinal));
    }

    private static Datum RegexMatch(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || arguments[1].Type != DatumType.Text)
            return Datum.Undefined;
        var options = RegexOptions.None;
        if (arguments.Length == 3)
        {
            if (arguments[2].Type != DatumType.Text)
                return Datum.Undefined;
            foreach (var modifier in arguments[2].Text)
            {
                RegexOptions? option = modifier switch
                {
                    'm' => RegexOptions.Multiline,
                    's' => RegexOptions.Singleline,
                    'i' => RegexOptions.IgnoreCase,
                    'x' => RegexOptions.IgnorePatternWhitespace,
                    _ => null,
                };
                if (option is null)
                    return Datum.Undefined;
                options |= option.Value;
            }
        }

        return scope.Pattern(arguments[1].Text, options) is { } pattern
            ? Datum.From(pattern.IsMatch(arguments[0].Text))
            : Datum.Undefined;
    }

    private static Datum Concat(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        var texts = new string[arguments.Length];
        for (var i = 0; i < texts.Length; i++)
        {
            if (arguments[i].Type != DatumType.Text)
                return Datum.Undefined;
            texts[i] = arguments[i].Text;
        }

        scope.Produce(texts.Sum(text => (long)text.Length));
        return Datum.From(string.Concat(texts));
    }

    private static Datum Substring(QueryScope scope, Datum text, Datum start, Datum length)
    {
        if (text.Type != DatumType.Text || !TryInteger(start, out var from) || !TryInteger(length, out var count))
            return Datum.Undefined;
        var whole = text.Text;
        if (from < 0 || from >= whole.Length || count <= 0)
            return Datum.From("");
        count = Math.Min(count, whole.Length - from);
        scope.Produce(count);
        return Datum.From(whole.Substring(from, count));
    }

    private static Datum Right(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || !TryInteger(arguments[1], out var count))
            return Datum.Undefined;
        var start = Math.Max(arguments[0].Text.Length - Math.Max(count, 0), 0);
        return Substring(scope, arguments[0], Datum.From(start), arguments[1]);
    }

    private static Datum Replace(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || arguments[1].Type != DatumType.Text || arguments[2].Type != DatumType.Text)
            return Datum.Undefined;
        (var text, var sought, var by) = (arguments[0].Text, arguments[1].Text, arguments[2].Text);
        if (sought.Length == 0)
            return Datum.Undefined;
        var most = text.Length + ((long)text.Length / sought.Length * Math.Max(0, by.Length - sought.Length));
        if (most > text.Length)
            most = text.Length + ((long)text.AsSpan().Count(sought) * (by.Length - sought.Length));
        scope.Produce(most);
        return Datum.From(text.Replace(sought, by, StringComparison.Ordinal));
    }

    private static Datum Replicate(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || !TryInteger(arguments[1], out var count) || count < 0)
            return Datum.Undefined;
        var text = arguments[0].Text;
        var length = (long)text.Length * count;
        if (length > MaxReplicated)
            return Datum.Undefined;
        scope.Produce(length);
        return Datum.From(text.Length == 0 ? "" : string.Concat(Enumerable.Repeat(text, count)));
    }

    /// <summary>An integer, clamped to 32 bits. False for other numbers and values.</summary>
    internal static bool TryInteger(Datum value, out int integer)
    {
        var isInteger = value.Type == DatumType.Number && value.Number == Math.Floor(value.Number);
        integer = isInteger ? (int)Math.Clamp(value.Number, int.MinValue, int.MaxValue) : 0;
        return isInteger;
    }
}

/// <summary>Functions between text and other types.</summary>
internal static class TextConversions
{
    public static readonly Function[] All =
    [
        new("TOSTRING", 1, 1, ToText),
        Parse("STRINGTONUMBER", value => value.Type == DatumType.Number),
        Parse("STRINGTOBOOLEAN", value => value.IsBoolean),
        Parse("STRINGTONULL", value => value.Type == DatumType.Null),
        Parse("STRINGTOARRAY", value => value.Type == DatumType.Array),
        Parse("STRINGTOOBJECT", value => value.Type == DatumType.Object),
        new("STRINGJOIN", 2, 2, Join),
        new("STRINGSPLIT", 2, 2, Split),
    ];

    private static Function Parse(string name, Func<Datum, bool> isWanted) => new(name, 1, 1, (scope, arguments) =>
    {
        if (arguments[0].Type != DatumType.Text)
            return Datum.Undefined;
        scope.Produce(arguments[0].Text.Length);
        try
        {
            using var document = JsonDocument.Parse(arguments[0].Text.Trim(' ', '\t', '\r', '\n'));
            var value = Datum.From(document.RootElement);
            return isWanted(value) ? value.Detached() : Datum.Undefined;
        }
        catch (Exception e) when (e is JsonException or ArgumentException)
        {
            // As the service does for a text that is no JSON.
            return Datum.Undefined;
        }
    });

    private static Datum ToText(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        var value = arguments[0];
        var text = value.Type switch
        {
            DatumType.Undefined => null,
            DatumType.Text => value.Text,
            DatumType.Number when !value.IsLong => value.Number.ToString("R", CultureInfo.InvariantCulture),
            _ => DatumJson.ToText(value),
        };
        if (text is null)
            return Datum.Undefined;
        scope.Produce(text.Length);
        return Datum.From(text);
    }

    private static Datum Join(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Array || arguments[1].Type != DatumType.Text)
            return Datum.Undefined;
        Datum[] items = [.. arguments[0].Items()];
        if (!Array.TrueForAll(items, item => item.Type == DatumType.Text))
            return Datum.Undefined;
        scope.Produce(items.Sum(item => (long)item.Text.Length) + ((long)arguments[1].Text.Length * items.Length));
        return Datum.From(string.Join(arguments[1].Text, items.Select(item => item.Text)));
    }

    private static Datum Split(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        if (arguments[0].Type != DatumType.Text || arguments[1].Type != DatumType.Text || arguments[1].Text.Length == 0)
            return Datum.Undefined;
        scope.Produce(arguments[0].Text.Length);
        return Datum.From([.. arguments[0].Text.Split(arguments[1].Text).Select(Datum.From)]);
    }
}
