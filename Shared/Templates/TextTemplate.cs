using System.Globalization;
using ScaleOut.Validation;

namespace ScaleOut.Templates;

/// <summary>Parses texts with placeholders in double braces, such as <c>sensor-{{random:int:1:100}}</c>.</summary>
public static class TextTemplate
{
    /// <summary>Longest random text.</summary>
    public const int LongestText = 10_000;

    private const string Open = "{{";
    private const string Close = "}}";

    /// <summary>What there is, as it is written.</summary>
    internal static readonly IReadOnlyList<string> Forms =
        [
            "{{number}}", "{{guid}}", "{{id}}", "{{key}}", "{{random:int:1:100}}", "{{random:number:0:1}}", "{{random:text:12}}",
            "{{random:bool}}", "{{pick:a,b,c}}"
        ];

    /// <summary>The parts of a text; those that are invalid are left out.</summary>
    /// <param name="text">The template.</param>
    /// <param name="error">Receives each error, with the character at which it stands, from 1.</param>
    /// <param name="ofDocument">Whether there is a document whose fields can be named.</param>
    public static IReadOnlyList<TemplatePart> Parse(string text, Action<int, string> error, bool ofDocument = false)
    {
        ArgumentNullException.ThrowIfNull(text);
        ArgumentNullException.ThrowIfNull(error);
        var parts = new List<TemplatePart>();
        var at = 0;
        while (text.IndexOf(Open, at, StringComparison.Ordinal) is >= 0 and var open)
        {
            AddLiteral(parts, text[at..open]);
            var close = text.IndexOf(Close, open + Open.Length, StringComparison.Ordinal);
            if (close < 0)
            {
                error(open + 1, $"'{Open}' is never closed by '{Close}'");
                return parts;
            }

            if (Placeholder(text[(open + Open.Length)..close], ofDocument, message => error(open + 1, message)) is { } part)
                parts.Add(part with { Place = parts.Count });
            at = close + Close.Length;
        }

        AddLiteral(parts, text[at..]);
        return parts;
    }

    private static void AddLiteral(List<TemplatePart> parts, string text)
    {
        if (text.Length > 0)
            parts.Add(TemplatePart.Literal(text));
    }

    private static TemplatePart? Placeholder(string inner, bool ofDocument, Action<string> error)
    {
        var words = inner.Split(':');
        var name = words[0].Trim();
        switch (name)
        {
            case "number" or "guid" or "id" or "key" when words.Length == 1:
                return new TemplatePart
                {
                    Kind = name == "guid" ? PlaceholderKind.Unique : Enum.Parse<PlaceholderKind>(name, ignoreCase: true),
                };
            case "field" when ofDocument && words is [_, { Length: > 0 } field]:
                return new TemplatePart { Kind = PlaceholderKind.Field, Text = field.Trim() };
            case "pick" when words.Length > 1:
                return Pick(inner[(inner.IndexOf(':', StringComparison.Ordinal) + 1)..], error);
            case "random" when words.Length > 1:
                return Random(inner, [.. words.Skip(1).Select(word => word.Trim())], error);
            default:
                error($"there is no placeholder {ErrorText.Quote(Open + inner + Close)}; there are "
                    + $"{string.Join(", ", ofDocument ? Forms.Append("{{field:name}}") : Forms)}");
                return null;
        }
    }

    private static TemplatePart? Pick(string list, Action<string> error)
    {
        var choices = list.Split(',').Select(choice => choice.Trim()).ToList();
        if (choices.Any(choice => choice.Length == 0))
        {
            error("pick has an empty choice; write {{pick:a,b,c}}");
            return null;
        }

        return new TemplatePart { Kind = PlaceholderKind.Pick, Choices = choices };
    }

    private static TemplatePart? Random(string inner, IReadOnlyList<string> words, Action<string> error)
    {
        switch (words)
        {
            case ["bool"]:
                return new TemplatePart { Kind = PlaceholderKind.RandomBool };
            case ["text", var length] when Whole(length) is { } characters:
                if (characters is >= 1 and <= LongestText)
                    return new TemplatePart { Kind = PlaceholderKind.RandomText, Maximum = characters };
                error($"{length} characters are out of range 1..{LongestText}");
                return null;
            case ["int" or "number", var from, var to] when (Whole(from), Whole(to)) is ({ } minimum, { } maximum):
                if (minimum <= maximum)
                    return new TemplatePart
                    {
                        Kind = words[0] == "int" ? PlaceholderKind.RandomInt : PlaceholderKind.RandomNumber, Minimum = minimum,
                        Maximum = maximum,
                    };
                error($"the range {from} to {to} is empty");
                return null;
            default:
                error($"{ErrorText.Quote(Open + inner + Close)} is none of {{{{random:int:from:to}}}}, {{{{random:number:from:to}}}}, "
                    + $"{{{{random:text:length}}}} and {{{{random:bool}}}}, with whole numbers");
                return null;
        }
    }

    // Far below the largest long, so that a range's width never overflows.
    private static long? Whole(string text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value)
        && Math.Abs((decimal)value) <= 1_000_000_000_000_000
            ? value
            : null;
}
