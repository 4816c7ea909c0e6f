namespace ScaleOut.Templates;

/// <summary>Parses texts with placeholders in double braces, such as <c>sensor-{{random:int:1:100}}</c>.</summary>
public static class TextTemplate
{
    /// <summary>The characters of a random text, all equally frequent.</summary>
    public const string RandomCharacters = "abcdefghijklmnopqrstuvwxyz0123456789";

    /// <summary>Maximum length of a random text, in characters.</summary>
    public const int MaxText = 10_000;

    /// <summary>Maximum number of values in a skewed range. A worker needs eight bytes of memory for each.</summary>
    public const int MaxSkewedValues = 1_000_000;

    private const double MaxExponent = 10;
    private const decimal MaxWeight = 1_000_000_000;
    private const string Open = "{{";
    private const string Close = "}}";

    /// <summary>Examples of all placeholders.</summary>
    internal static readonly IReadOnlyList<string> Forms =
        [
            "{{number}}", "{{guid}}", "{{id}}", "{{key}}", "{{random:int:1:100}}", "{{random:number:0:1}}", "{{random:text:12}}",
            "{{random:bool}}", "{{pick:a,b,c}}", "{{zipf:1:20000:1.1}}"
        ];

    /// <summary>Parses a text into its parts. Invalid placeholders are left out.</summary>
    /// <param name="error">Receives each error with its position in the text, in characters from 1.</param>
    /// <param name="ofDocument">Whether {{field:name}} is permitted, because the text belongs to a document.</param>
    public static IReadOnlyList<TemplatePart> Parse(string text, Action<int, string> error, bool ofDocument = false)
    {
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
                return Pick(inner, inner[(inner.IndexOf(':', StringComparison.Ordinal) + 1)..], error);
            case "zipf" when words.Length > 1:
                return Skewed(inner, [.. words.Skip(1).Select(word => word.Trim())], error);
            case "random" when words.Length > 1:
                return Random(inner, [.. words.Skip(1).Select(word => word.Trim())], error);
            default:
                error($"there is no placeholder {ErrorText.Quote(Open + inner + Close)}; there are "
                    + $"{string.Join(", ", ofDocument ? Forms.Append("{{field:name}}") : Forms)}");
                return null;
        }
    }

    private static TemplatePart? Pick(string inner, string list, Action<string> error)
    {
        var choices = list.Split(',').Select(Choice).ToList();
        if (choices.Any(choice => choice.Text.Length == 0))
            error($"{ErrorText.Quote(Open + inner + Close)} has an empty choice; write {{{{pick:a,b,c}}}}");
        else if (choices.Find(choice => choice.Weight is not (> 0 and <= MaxWeight)) is { Text: { } text } wrong)
            error($"{ErrorText.Quote(Open + inner + Close)}: the weight {wrong.Weight} of {ErrorText.Quote(text)} is out of range: "
                + $"above 0, at most {MaxWeight:#,0}");
        else
            return new TemplatePart
            {
                Kind = PlaceholderKind.Pick, Choices = [.. choices.Select(choice => choice.Text)],
                Weights = [.. choices.Select(choice => (double)choice.Weight)],
            };
        return null;
    }

    /// <summary>A choice and its weight, which a number after the last <c>*</c> gives.</summary>
    private static (string Text, decimal Weight) Choice(string item) =>
        item.LastIndexOf('*') is >= 0 and var star
        && decimal.TryParse(
            item.AsSpan(star + 1).Trim(), NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
            out var weight)
            ? (item[..star].Trim(), weight)
            : (item.Trim(), 1);

    private static TemplatePart? Random(string inner, IReadOnlyList<string> words, Action<string> error)
    {
        switch (words)
        {
            case ["bool"]:
                return new TemplatePart { Kind = PlaceholderKind.RandomBool };
            case ["text", var length] when Whole(length) is { } characters:
                if (characters is >= 1 and <= MaxText)
                    return new TemplatePart { Kind = PlaceholderKind.RandomText, Maximum = characters };
                error($"{length} characters are out of range 1..{MaxText}");
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

    private static TemplatePart? Skewed(string inner, IReadOnlyList<string> words, Action<string> error)
    {
        if (words is not [var from, var to, var skew] || (Whole(from), Whole(to)) is not ({ } minimum, { } maximum)
            || !double.TryParse(skew, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var exponent))
            error($"{ErrorText.Quote(Open + inner + Close)} is not {{{{zipf:from:to:exponent}}}}, with whole numbers and an exponent "
                + "such as 1.1");
        else if (minimum > maximum)
            error($"the range {from} to {to} is empty");
        else if (maximum - minimum >= MaxSkewedValues)
            error($"the range {from} to {to} has more than {MaxSkewedValues} values");
        else if (exponent is not (> 0 and <= MaxExponent))
            error($"the exponent {skew} is out of range: above 0, at most {MaxExponent}");
        else
            return new TemplatePart { Kind = PlaceholderKind.Skewed, Minimum = minimum, Maximum = maximum, Exponent = exponent };
        return null;
    }

    // The bound is far below the largest long, so that the width of a range does not overflow.
    private static long? Whole(string text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value)
        && Math.Abs((decimal)value) <= 1_000_000_000_000_000
            ? value
            : null;
}

/// <summary>A literal text or a placeholder of a template.</summary>
public sealed record TemplatePart
{
    public required PlaceholderKind Kind { get; init; }

    /// <summary>Ordinal in the template. Placeholders at different places have different random values.</summary>
    public int Place { get; init; }

    /// <summary>The text of a literal, or the name of a field.</summary>
    public string Text { get; init; } = "";

    /// <summary>Lower end of a range.</summary>
    public long Minimum { get; init; }

    /// <summary>Upper end of a range, or the length of a random text.</summary>
    public long Maximum { get; init; }

    /// <summary>Exponent of a skewed range. With a larger one, the first values are more frequent.</summary>
    public double Exponent { get; init; }

    /// <summary>The texts that a pick chooses from.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>How often each of the <see cref="Choices"/> comes, relative to the others.</summary>
    public IReadOnlyList<double> Weights { get; init; } = [];

    /// <summary>Whether a JSON string that consists only of this placeholder becomes a number or a truth value.</summary>
    public bool IsScalar =>
        Kind is PlaceholderKind.Number or PlaceholderKind.RandomInt or PlaceholderKind.RandomNumber or PlaceholderKind.RandomBool
            or PlaceholderKind.Skewed;

    /// <summary>Whether no two documents of a run have the same value here.</summary>
    public bool IsUnique => Kind is PlaceholderKind.Number or PlaceholderKind.Unique or PlaceholderKind.Id;

    public static TemplatePart Literal(string text) => new() { Kind = PlaceholderKind.Literal, Text = text };
}

/// <summary>Kinds of parts of a template. All values depend only on the run, the document number and the place in the template.</summary>
public enum PlaceholderKind
{
    /// <summary>Text that is not changed.</summary>
    Literal,

    /// <summary><c>{{number}}</c>: the document number, from 0.</summary>
    Number,

    /// <summary><c>{{guid}}</c>: a guid that no other document has at this place.</summary>
    Unique,

    /// <summary><c>{{id}}</c>: the document's id.</summary>
    Id,

    /// <summary>
    /// <c>{{key}}</c>: the document's partition key. In a document template it is a guid that the documents of a batch share.
    /// </summary>
    Key,

    /// <summary><c>{{field:ownerId}}</c>: a property of the document that a query addresses. Only in values of a query.</summary>
    Field,

    /// <summary><c>{{random:int:1:100}}</c>: a whole number of the range, both ends included.</summary>
    RandomInt,

    /// <summary><c>{{random:number:0:1}}</c>: a number of the range with three decimals.</summary>
    RandomNumber,

    /// <summary><c>{{random:text:12}}</c>: a text of letters and digits of that length.</summary>
    RandomText,

    /// <summary><c>{{random:bool}}</c>.</summary>
    RandomBool,

    /// <summary><c>{{pick:a,b,c}}</c>: one of the texts, or <c>{{pick:big*12,small*88}}</c> by weight.</summary>
    Pick,

    /// <summary>
    /// <c>{{zipf:1:20000:1.1}}</c>: a whole number of the range, both ends included. The n-th number is n^1.1 times less frequent than the
    /// first (Zipf's law).
    /// </summary>
    Skewed,
}
