namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary>
/// A pattern of LIKE: <c>%</c> is any text, <c>_</c> one character, <c>[a-c]</c> one of these, <c>[^a-c]</c> one but these.
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
        int at = 0;
        while (at < text.Length)
        {
            char c = text[at++];
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

    /// <summary>In time proportional to both lengths: only the last <c>%</c> ever takes more.</summary>
    public bool Matches(string text)
    {
        int at = 0;
        int element = 0;
        int lastAny = -1;
        int lastAt = 0;
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

    /// <summary>What one character may be: one of some ranges, or none of them. Any text has no ranges.</summary>
    private sealed record Element((char First, char Last)[]? Ranges, bool IsNegated)
    {
        public static Element AnyText { get; } = new(null, false);

        public static Element AnyCharacter { get; } = new([], true);

        public bool IsAnyText => Ranges is null;

        public static Element From(char c) => new([(c, c)], false);

        public static Element FromSet(string set)
        {
            bool isNegated = set.Length > 1 && set[0] == '^';
            var ranges = new List<(char, char)>();
            for (int i = isNegated ? 1 : 0; i < set.Length; i++)
            {
                bool isRange = i + 2 < set.Length && set[i + 1] == '-';
                ranges.Add((set[i], isRange ? set[i + 2] : set[i]));
                i += isRange ? 2 : 0;
            }

            return new Element([.. ranges], isNegated);
        }

        public bool Takes(char c) => Array.Exists(Ranges!, range => c >= range.First && c <= range.Last) != IsNegated;
    }
}
