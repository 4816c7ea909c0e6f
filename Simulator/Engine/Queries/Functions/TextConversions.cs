using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Simulator.Engine.Queries.Functions;

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
            using JsonDocument document = JsonDocument.Parse(arguments[0].Text.Trim(' ', '\t', '\r', '\n'));
            var value = Datum.From(document.RootElement);
            return isWanted(value) ? value.Detached() : Datum.Undefined;
        }
        catch (Exception e) when (e is JsonException or ArgumentException)
        {
            return Datum.Undefined;
        }
    });

    private static Datum ToText(QueryScope scope, ReadOnlySpan<Datum> arguments)
    {
        Datum value = arguments[0];
        string? text = value.Type switch
        {
            DatumType.Undefined => null,
            DatumType.Text => value.Text,
            DatumType.Number => value.Number.ToString("R", CultureInfo.InvariantCulture),
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
