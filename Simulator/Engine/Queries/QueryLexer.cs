using System.Globalization;
using System.Text;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Queries;

internal enum QueryTokenKind
{
    End,
    Word,
    Parameter,
    Text,
    Number,
    Symbol,
}

/// <summary>One token of a query's text and where it begins.</summary>
internal readonly record struct QueryToken(QueryTokenKind Kind, string Value, int Start)
{
    public bool IsWord(string word) => Kind == QueryTokenKind.Word && Value.Equals(word, StringComparison.OrdinalIgnoreCase);

    public bool IsSymbol(string symbol) => Kind == QueryTokenKind.Symbol && Value == symbol;
}

/// <summary>Cuts a query's text into tokens.</summary>
internal static class QueryLexer
{
    private static readonly string[] TwoCharacterSymbols = ["<=", ">=", "!=", "<>"];

    /// <exception cref="RequestException">400: a character or text that does not belong into a query.</exception>
    public static List<QueryToken> Read(string text)
    {
        var tokens = new List<QueryToken>();
        int at = 0;
        while (true)
        {
            while (at < text.Length && char.IsWhiteSpace(text[at]))
                at++;
            if (at == text.Length)
            {
                tokens.Add(new QueryToken(QueryTokenKind.End, "", at));
                return tokens;
            }

            int start = at;
            char first = text[at];
            if (char.IsAsciiLetter(first) || first is '_' or '@')
            {
                at++;
                while (at < text.Length && (char.IsAsciiLetterOrDigit(text[at]) || text[at] == '_'))
                    at++;
                tokens.Add(new QueryToken(first == '@' ? QueryTokenKind.Parameter : QueryTokenKind.Word, text[start..at], start));
            }
            else if (char.IsAsciiDigit(first) || (first == '-' && at + 1 < text.Length && char.IsAsciiDigit(text[at + 1])))
            {
                at++;
                while (at < text.Length && IsInNumber(text[at - 1], text[at]))
                    at++;
                if (!double.TryParse(text.AsSpan(start, at - start), NumberStyles.Float, CultureInfo.InvariantCulture, out _))
                    throw Syntax(text, start);
                tokens.Add(new QueryToken(QueryTokenKind.Number, text[start..at], start));
            }
            else if (first is '"' or '\'')
            {
                tokens.Add(new QueryToken(QueryTokenKind.Text, ReadText(text, ref at), start));
            }
            else
            {
                at += TwoCharacterSymbols.Contains(text.Substring(at, Math.Min(2, text.Length - at))) ? 2 : 1;
                string symbol = text[start..at];
                if (symbol.Length == 1 && !"*.,()[]{}:=<>".Contains(symbol[0]))
                    throw Syntax(text, start);
                tokens.Add(new QueryToken(QueryTokenKind.Symbol, symbol, start));
            }
        }
    }

    public static RequestException Syntax(string text, int at) => RequestException.Rejected(
        ServiceStatus.BadRequest,
        $"Syntax error, or something that is not simulated, near '{text.AsSpan(at, Math.Min(20, text.Length - at))}' at {at}.");

    private static bool IsInNumber(char before, char c) =>
        char.IsAsciiLetterOrDigit(c) || c == '.' || (c is '-' or '+' && before is 'e' or 'E');

    private static string ReadText(string text, ref int at)
    {
        int start = at;
        char quote = text[at++];
        var value = new StringBuilder();
        while (at < text.Length && text[at] != quote)
        {
            char c = text[at++];
            if (c != '\\' || at == text.Length)
            {
                value.Append(c);
                continue;
            }

            char escape = text[at++];
            if (escape == 'u' && at + 4 <= text.Length
                && ushort.TryParse(text.AsSpan(at, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code))
            {
                value.Append((char)code);
                at += 4;
                continue;
            }

            value.Append(escape switch { 'n' => '\n', 't' => '\t', 'r' => '\r', 'b' => '\b', 'f' => '\f', _ => escape });
        }

        if (at++ >= text.Length)
            throw Syntax(text, start);
        return value.ToString();
    }
}
