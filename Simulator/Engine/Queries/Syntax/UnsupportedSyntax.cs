using ScaleOut.Simulator.Engine.Operations;
using Superpower.Model;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>Names what the service has and the simulated account has not, instead of calling it a syntax error.</summary>
internal static class UnsupportedSyntax
{
    /// <summary>Levels of brackets that a query may have.</summary>
    private const int MostBrackets = 250;

    /// <exception cref="RequestException">400: beyond what is simulated.</exception>
    public static void Check(TokenList<QueryToken> tokens)
    {
        int depth = 0;
        Token<QueryToken> before = default;
        Token<QueryToken> twoBefore = default;
        foreach (Token<QueryToken> token in tokens)
        {
            depth += token.Kind switch
            {
                QueryToken.OpenParenthesis or QueryToken.OpenBracket or QueryToken.OpenBrace => 1,
                QueryToken.CloseParenthesis or QueryToken.CloseBracket or QueryToken.CloseBrace => -1,
                _ => 0,
            };
            if (depth > MostBrackets)
                throw Rejected($"The query has more than {MostBrackets} levels of brackets.");
            if (Feature(twoBefore, before, token) is { } feature)
                throw Rejected($"{feature} simulated.");
            (twoBefore, before) = (before, token);
        }
    }

    private static string? Feature(Token<QueryToken> twoBefore, Token<QueryToken> before, Token<QueryToken> token)
    {
        bool isCall = token.Kind == QueryToken.OpenParenthesis && !Follows(twoBefore);
        if (isCall && Is(before, "EXISTS"))
            return "EXISTS is not";
        if (isCall && Is(before, "ARRAY"))
            return "ARRAY() is not";
        if (token.Kind == QueryToken.Dot && Is(before, "udf") && !Follows(twoBefore))
            return "User-defined functions (udf.) are not";
        if (token.Kind != QueryToken.Word || Follows(before))
            return null;
        if (Is(token, "JOIN"))
            return "JOIN is not";
        if (Is(token, "RANK") && Is(before, "BY"))
            return "ORDER BY RANK (full-text and hybrid search) is not";
        if (Is(token, "SELECT") && before.Kind == QueryToken.OpenParenthesis && before.HasValue)
            return "Subqueries are not";
        if (Is(token, "IN") && Is(twoBefore, "FROM"))
            return "Iteration over an array (FROM a IN b) is not";
        return null;
    }

    /// <summary>Whether what follows is a property's name.</summary>
    private static bool Follows(Token<QueryToken> token) => token is { HasValue: true, Kind: QueryToken.Dot };

    private static bool Is(Token<QueryToken> token, string word) =>
        token is { HasValue: true, Kind: QueryToken.Word } && token.Span.EqualsValueIgnoreCase(word);

    private static RequestException Rejected(string message) => RequestException.Rejected(ServiceStatus.BadRequest, message);
}
