namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary><c>a LIKE 'b%' ESCAPE '!'</c>.</summary>
internal sealed class Like(Expression value, Expression pattern, char? escape) : Expression(value, pattern)
{
    private readonly LikePattern? _constant =
        pattern is Constant { Value.Type: DatumType.Text } constant ? LikePattern.Parse(constant.Value.Text, escape) : null;

    protected override string Label => $"{escape}";

    protected override Datum EvaluateCore(QueryScope scope)
    {
        var text = value.Evaluate(scope);
        var wanted = pattern.Evaluate(scope);
        if (text.Type != DatumType.Text || wanted.Type != DatumType.Text)
            return Datum.Undefined;
        return Datum.From((_constant ?? LikePattern.Parse(wanted.Text, escape)).Matches(text.Text));
    }
}

/// <summary>
/// A pattern of LIKE: <c>%</c> any text, <c>_</c> one character, <c>[a-c]</c> one of these, <c>[^a-c]</c> one except these.
/// </summary>
internal sealed class LikePattern
{
    private readonly List<Element> _elements = [];

    private LikePattern()
    {
    }

    public static LikePattern Parse(string text, char? escape)
    {
        var pattern = new LikePattern();
        var at = 0;
        while (at < text.Length)
        {
            var c = text[at++];
            if (c == escape && at < text.Length)
                pattern._elements.Add(Element.From(text[at++]));
            else if (c == '[' && text.IndexOf(']', at) is > 0 and int end && end > at)
            {
                pattern._elements.Add(Element.FromSet(text[at..end]));
                at = end + 1;
            }
            else
                pattern._elements.Add(c switch { '%' => Element.AnyText, '_' => Element.AnyCharacter, _ => Element.From(c) });
        }

        return pattern;
    }

    /// <summary>Takes time proportional to the product of both lengths, because only the last <c>%</c> is ever extended.</summary>
    public bool Matches(string text)
    {
        var at = 0;
        var element = 0;
        var lastAny = -1;
        var lastAt = 0;
        while (at < text.Length)
        {
            if (element < _elements.Count && _elements[element].IsAnyText)
            {
                lastAny = element++;
                lastAt = at;
            }
            else if (element < _elements.Count && _elements[element].Takes(text[at]))
            {
                element++;
                at++;
            }
            else if (lastAny >= 0)
            {
                element = lastAny + 1;
                at = ++lastAt;
            }
            else
                return false;
        }

        while (element < _elements.Count && _elements[element].IsAnyText)
            element++;
        return element == _elements.Count;
    }

    /// <summary>One character in some ranges, or outside of them. Any text has no ranges.</summary>
    private sealed record Element((char First, char Last)[]? Ranges, bool IsNegated)
    {
        public static Element AnyText { get; } = new(null, false);

        public static Element AnyCharacter { get; } = new([], true);

        public bool IsAnyText => Ranges is null;

        public static Element From(char c) => new([(c, c)], false);

        public static Element FromSet(string set)
        {
            var isNegated = set.Length > 1 && set[0] == '^';
            var ranges = new List<(char, char)>();
            for (var i = isNegated ? 1 : 0; i < set.Length; i++)
            {
                var isRange = i + 2 < set.Length && set[i + 1] == '-';
                ranges.Add((set[i], isRange ? set[i + 2] : set[i]));
                i += isRange ? 2 : 0;
            }

            return new Element([.. ranges], isNegated);
        }

        public bool Takes(char c) => Array.Exists(Ranges!, range => c >= range.First && c <= range.Last) != IsNegated;
    }
}
