using ScaleOut.Validation;
using Superpower;
using Superpower.Model;
using Superpower.Parsers;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>The grammar of queries: SELECT, FROM, WHERE, GROUP BY, ORDER BY, OFFSET LIMIT.</summary>
internal static class QueryGrammar
{
    /// <summary>Largest number of characters of a query, as on the service.</summary>
    private const int MaxText = 512 * 1024;

    private static readonly TokenListParser<QueryToken, Token<QueryToken>> NameToken = Token.EqualTo(QueryToken.Word)
        .Where(token => !Keywords.IsReserved(token.Span), "unexpected keyword");

    private static readonly TokenListParser<QueryToken, string> Name = NameToken.Select(token => token.ToStringValue());

    private static readonly TokenListParser<QueryToken, CountSyntax> Count =
        Token.EqualTo(QueryToken.Number).Select(token => new CountSyntax(ExpressionGrammar.Number(token), null, PlaceOf(token)))
            .Or(Token.EqualTo(QueryToken.Parameter).Select(token => new CountSyntax(null, token.ToStringValue(), PlaceOf(token))));

    private static readonly TokenListParser<QueryToken, SourceExpression> Scalar = WithText(ExpressionGrammar.Scalar);

    private static readonly TokenListParser<QueryToken, string?> Alias =
        Word("AS").IgnoreThen(Name).Or(Name).Select(name => (string?)name).OptionalOrDefault();

    private static readonly TokenListParser<QueryToken, (SourceExpression Item, string? Alias)> Item =
        from item in Scalar
        from alias in Alias
        select (item, alias);

    private static readonly TokenListParser<QueryToken, SelectSyntax> Selection =
        Token.EqualTo(QueryToken.Star).Select(token => SelectSyntax.All(token.Position.Absolute))
            .Or(Word("VALUE").IgnoreThen(Item).Select(one => SelectSyntax.Value(one.Item)))
            .Or(Placed(Item).AtLeastOnceDelimitedBy(Token.EqualTo(QueryToken.Comma))
                .Select(items => SelectSyntax.List(SelectNames.Give(items))));

    private static readonly TokenListParser<QueryToken, SelectSyntax> Select =
        from keyword in Word("SELECT")
        from isDistinct in Word("DISTINCT").Value(true).OptionalOrDefault()
        from top in Placed(Word("TOP").IgnoreThen(Count).Select(count => (CountSyntax?)count).OptionalOrDefault())
        from selection in Selection
        select selection with { IsDistinct = isDistinct, Top = top.Value, TopPlace = top.Place };

    private static readonly TokenListParser<QueryToken, SourceExpression> Collection = WithText(
        ExpressionGrammar.Subquery(SubqueryKind.Source)
            .Or(from name in NameToken
                from steps in ExpressionGrammar.ConstantStep.Many()
                select steps.Aggregate(
                    (Expression)new Root(name.ToStringValue(), name.Position.Absolute), (owner, step) => new Member(owner, step))));

    private static readonly TokenListParser<QueryToken, FromSource> Iteration =
        from name in Name
        from keyword in Word("IN")
        from collection in Collection
        select new FromSource(collection, name, iterates: true, $"{name} IN {collection.Text}");

    private static readonly TokenListParser<QueryToken, FromSource> Source =
        from collection in Collection
        from alias in Alias
        select new FromSource(
            collection, alias ?? SelectNames.Of(collection.Value), iterates: false,
            alias is null ? collection.Text : $"{collection.Text} {alias}");

    private static readonly TokenListParser<QueryToken, FromSource[]> From =
        (from keyword in Word("FROM")
         from first in ParseSource()
         from others in Word("JOIN").IgnoreThen(ParseSource()).Many()
         select (FromSource[])[first, .. others]).OptionalOrDefault([]);

    private static readonly TokenListParser<QueryToken, OrderItem> Order =
        from item in Scalar
        from isDescending in Word("DESC").Value(true).Or(Word("ASC").Value(false)).OptionalOrDefault()
        select new OrderItem(item, isDescending);

    private static readonly TokenListParser<QueryToken, SourceExpression[]> GroupBy =
        Word("GROUP").IgnoreThen(Word("BY")).IgnoreThen(Scalar.AtLeastOnceDelimitedBy(Token.EqualTo(QueryToken.Comma)));

    private static readonly TokenListParser<QueryToken, OrderItem[]> OrderBy =
        Word("ORDER").IgnoreThen(Word("BY")).IgnoreThen(Order.AtLeastOnceDelimitedBy(Token.EqualTo(QueryToken.Comma)));

    private static readonly TokenListParser<QueryToken, (CountSyntax Offset, CountSyntax Limit)?> OffsetLimit =
        (from offset in Word("OFFSET").IgnoreThen(Count)
         from limit in Word("LIMIT").IgnoreThen(Count)
         select ((CountSyntax, CountSyntax)?)(offset, limit)).OptionalOrDefault();

    private static readonly TokenListParser<QueryToken, QuerySyntax> Query =
        (from head in
             (from selected in Select
              from sources in From
              from condition in Word("WHERE").IgnoreThen(Scalar).Select(value => (SourceExpression?)value).OptionalOrDefault()
              select new QuerySyntax { Select = selected, Sources = sources, Where = condition })
         from groups in GroupBy.OptionalOrDefault([])
         from order in Placed(OrderBy.OptionalOrDefault([]))
         from window in Placed(OffsetLimit)
         select head with
         {
             GroupBy = groups,
             OrderBy = order.Value,
             OrderPlace = order.Place,
             Offset = window.Value?.Offset,
             Limit = window.Value?.Limit,
             OffsetPlace = window.Place,
         }).Select(QueryRules.Complete);

    private static readonly TokenListParser<QueryToken, QuerySyntax> Whole = Query.AtEnd();

    /// <exception cref="RequestException">400: malformed, or not simulated.</exception>
    public static QuerySyntax Parse(string text)
    {
        if (text.Length > MaxText)
            throw RequestException.Rejected($"The query's text is longer than the {MaxText} characters that it may have.");
        var tokens = QueryTokenizer.Instance.TryTokenize(text);
        if (!tokens.HasValue)
            throw NoToken(text, tokens.ErrorPosition);
        UnsupportedSyntax.Check(tokens.Value);
        try
        {
            var result = Whole(tokens.Value);
            return result.HasValue
                ? QueryRules.Check(result.Value, text)
                : throw Misplaced(text, tokens.Value, result.ErrorPosition);
        }
        catch (InsufficientExecutionStackException)
        {
            throw RequestException.Rejected("The query is nested too deeply.");
        }
    }

    private static TokenListParser<QueryToken, Token<QueryToken>> Word(string word) => ExpressionGrammar.Word(word);

    /// <summary>A query within another one.</summary>
    public static TokenListParserResult<QueryToken, QuerySyntax> ParseNested(TokenList<QueryToken> input)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return Query(input);
    }

    private static TokenListParser<QueryToken, FromSource> ParseSource() => input =>
        Name(input) is { HasValue: true } name && Word("IN")(name.Remainder).HasValue ? Iteration(input) : Source(input);

    private static TextPlace PlaceOf(Token<QueryToken> token) =>
        new(token.Position.Absolute, token.Position.Absolute + token.Span.Length);

    private static TokenListParser<QueryToken, (T Value, TextPlace Place)> Placed<T>(TokenListParser<QueryToken, T> parser) => input =>
    {
        var result = parser(input);
        return result.HasValue
            ? TokenListParserResult.Value((result.Value, ExpressionGrammar.PlaceOf(input, result.Remainder)), input, result.Remainder)
            : TokenListParserResult.CastEmpty<QueryToken, T, (T Value, TextPlace Place)>(result);
    };

    private static TokenListParser<QueryToken, SourceExpression> WithText(TokenListParser<QueryToken, Expression> parser) => input =>
    {
        var result = Placed(parser)(input);
        if (!result.HasValue)
            return TokenListParserResult.CastEmpty<QueryToken, (Expression Value, TextPlace Place), SourceExpression>(result);
        (var value, var place) = result.Value;
        var text = input.ConsumeToken().Value.Span.Source![place.Start..place.End];
        return TokenListParserResult.Value(new SourceExpression(value, text, place), input, result.Remainder);
    };

    /// <summary>The error for a character that begins no token: an unterminated string literal, or an invalid character.</summary>
    private static RequestException NoToken(string text, Position at)
    {
        var open = Unclosed(text);
        if (open >= 0)
            return RequestException.InQuery(
                "SC1010", new TextPlace(open, text.Length),
                $"Syntax error, invalid string literal token '{ErrorText.Shorten(text[open..])}'.");
        return at.HasValue && at.Absolute < text.Length
            ? InvalidToken(at.Absolute, text.Substring(at.Absolute, IsPair(at.Absolute) ? 2 : 1))
            : Incomplete(text);

        bool IsPair(int start) => start + 1 < text.Length && char.IsSurrogatePair(text, start);
    }

    /// <summary>The position of an unterminated string literal; -1 if there is none.</summary>
    private static int Unclosed(string text)
    {
        var open = -1;
        for (var i = 0; i < text.Length; i++)
        {
            if (open >= 0 && text[i] == '\\')
                i++;
            else if (open < 0 && text[i] is '\'' or '"')
                open = i;
            else if (open >= 0 && text[i] == text[open])
                open = -1;
        }

        return open;
    }

    /// <summary>A token that cannot follow those before it, or the end of a query that is not complete.</summary>
    private static RequestException Misplaced(string text, TokenList<QueryToken> tokens, Position at)
    {
        foreach (var token in tokens)
        {
            if (at.HasValue && token.Position.Absolute + token.Span.Length > at.Absolute)
                return IncorrectSyntax(token.Position.Absolute, token.ToStringValue());
        }

        return Incomplete(text);
    }

    private static RequestException Incomplete(string text) =>
        RequestException.InQuery("SC1002", new TextPlace(text.Length, text.Length), "Syntax error, unexpected end-of-file.");

    private static RequestException InvalidToken(int start, string token) =>
        RequestException.InQuery("SC1010", new TextPlace(start, start + token.Length), $"Syntax error, invalid token '{token}'.");

    private static RequestException IncorrectSyntax(int start, string token) =>
        RequestException.InQuery("SC1001", new TextPlace(start, start + token.Length), $"Syntax error, incorrect syntax near '{token}'.");
}
