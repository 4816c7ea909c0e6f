using ScaleOut.Simulator.Engine.Queries.Functions;
using Superpower;
using Superpower.Model;
using Superpower.Parsers;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

internal static class ExpressionGrammar
{
    /// <summary>How tightly IN, BETWEEN and LIKE bind: less than all operators except AND and OR.</summary>
    private const int ConditionRank = 3;

    /// <summary>Operators and how tightly they bind.</summary>
    private static readonly Dictionary<string, (int Rank, BinaryOperator Kind)> Operators = new(StringComparer.OrdinalIgnoreCase)
    {
        ["OR"] = (1, BinaryOperator.Or),
        ["AND"] = (2, BinaryOperator.And),
        ["||"] = (4, BinaryOperator.Concat),
        ["|"] = (5, BinaryOperator.BitOr),
        ["^"] = (6, BinaryOperator.BitXor),
        ["&"] = (7, BinaryOperator.BitAnd),
        ["="] = (8, BinaryOperator.Equal),
        ["!="] = (8, BinaryOperator.NotEqual),
        ["<>"] = (8, BinaryOperator.NotEqual),
        ["<"] = (9, BinaryOperator.Less),
        ["<="] = (9, BinaryOperator.LessOrEqual),
        [">"] = (9, BinaryOperator.Greater),
        [">="] = (9, BinaryOperator.GreaterOrEqual),
        ["<<"] = (10, BinaryOperator.ShiftLeft),
        [">>"] = (10, BinaryOperator.ShiftRight),
        [">>>"] = (10, BinaryOperator.ShiftRightUnsigned),
        ["+"] = (11, BinaryOperator.Add),
        ["-"] = (11, BinaryOperator.Subtract),
        ["*"] = (12, BinaryOperator.Multiply),
        ["/"] = (12, BinaryOperator.Divide),
        ["%"] = (12, BinaryOperator.Modulo),
    };

    private static readonly TokenListParser<QueryToken, UnaryOperator> Prefix =
        Word("NOT").Value(UnaryOperator.Not)
            .Or(Symbol("-").Value(UnaryOperator.Minus))
            .Or(Symbol("+").Value(UnaryOperator.Plus))
            .Or(Symbol("~").Value(UnaryOperator.BitNot));

    public static readonly TokenListParser<QueryToken, Expression> Scalar = ParseScalar;

    /// <summary>An operand of IN, BETWEEN or LIKE.</summary>
    private static readonly TokenListParser<QueryToken, Expression> Operand = input => ParseOperators(input, ConditionRank + 1);

    private static readonly TokenListParser<QueryToken, Expression[]> List = Scalar.ManyDelimitedBy(Token.EqualTo(QueryToken.Comma));

    private static readonly TokenListParser<QueryToken, Expression[]> NonEmptyList =
        Scalar.AtLeastOnceDelimitedBy(Token.EqualTo(QueryToken.Comma));

    private static readonly TokenListParser<QueryToken, string> Text =
        Token.EqualTo(QueryToken.Text).Select(token => SurrogateText.Unescape(token.Span.AsReadOnlySpan()[1..^1]));

    /// <summary>A word that is no keyword, or is the name of a function.</summary>
    private static readonly TokenListParser<QueryToken, Token<QueryToken>> Name = Token.EqualTo(QueryToken.Word)
        .Where(token => !Keywords.IsReserved(token.Span) || Keywords.IsFunction(token.Span), "unexpected keyword");

    private static readonly TokenListParser<QueryToken, Expression> TextOrNumber =
        Text.Select(text => (Expression)new Constant(Datum.From(text)))
            .Or(Token.EqualTo(QueryToken.Number).Select(token => (Expression)new Constant(NumberOf(token))));

    private static readonly TokenListParser<QueryToken, Expression> ParameterValue =
        Token.EqualTo(QueryToken.Parameter).Select(token => (Expression)new Parameter(token.ToStringValue()));

    private static readonly TokenListParser<QueryToken, Expression> Literal =
        TextOrNumber
            .Or(Word("true").Value((Expression)new Constant(Datum.From(true))))
            .Or(Word("false").Value((Expression)new Constant(Datum.From(false))))
            .Or(Word("null").Value((Expression)new Constant(Datum.Null)))
            .Or(Word("undefined").Value((Expression)new Constant(Datum.Undefined)));

    private static readonly TokenListParser<QueryToken, (string Name, Expression Value)> Property =
        from name in Text.Or(Name.Select(token => token.ToStringValue()))
        from colon in Token.EqualTo(QueryToken.Colon)
        from value in Scalar
        select (name, value);

    private static readonly TokenListParser<QueryToken, Expression> Object =
        from open in Token.EqualTo(QueryToken.OpenBrace)
        from properties in Property.ManyDelimitedBy(Token.EqualTo(QueryToken.Comma))
        from close in Token.EqualTo(QueryToken.CloseBrace)
        select (Expression)new ObjectLiteral([.. properties.Select(one => one.Name)], [.. properties.Select(one => one.Value)]);

    private static readonly TokenListParser<QueryToken, Expression> Array =
        List.Between(Token.EqualTo(QueryToken.OpenBracket), Token.EqualTo(QueryToken.CloseBracket))
            .Select(items => (Expression)new ArrayLiteral(items));

    private static readonly TokenListParser<QueryToken, Expression[]> Arguments =
        List.Between(Token.EqualTo(QueryToken.OpenParenthesis), Token.EqualTo(QueryToken.CloseParenthesis));

    private static readonly TokenListParser<QueryToken, (string Name, Expression[] Arguments)> UserFunction =
        from prefix in Word("udf")
        from dot in Token.EqualTo(QueryToken.Dot)
        from name in Token.EqualTo(QueryToken.Word)
        from arguments in Arguments
        select (name.ToStringValue(), arguments);

    private static readonly TokenListParser<QueryToken, QuerySyntax> Nested = QueryGrammar.ParseNested;

    private static readonly TokenListParser<QueryToken, QuerySyntax> Query = Nested.Between(
        Token.EqualTo(QueryToken.OpenParenthesis), Token.EqualTo(QueryToken.CloseParenthesis));

    private static readonly TokenListParser<QueryToken, Expression> Primary =
        Literal
            .Or(ParameterValue)
            .Or(Object)
            .Or(Array)
            .Or(ParseBrackets)
            .Or(Word("EXISTS").IgnoreThen(Subquery(SubqueryKind.Exists)))
            .Or(Word("ARRAY").IgnoreThen(Subquery(SubqueryKind.Array)))
            .Or(ParseUserCall)
            .Or(ParseCallOrRoot);

    private static readonly TokenListParser<QueryToken, Expression> Dotted = Token.EqualTo(QueryToken.Dot)
        .IgnoreThen(Token.EqualTo(QueryToken.Word).Select(token => (Expression)new Constant(Datum.From(token.ToStringValue()))));

    /// <summary>A step of a path in FROM.</summary>
    public static readonly TokenListParser<QueryToken, Expression> ConstantStep =
        Dotted.Or(TextOrNumber.Between(Token.EqualTo(QueryToken.OpenBracket), Token.EqualTo(QueryToken.CloseBracket)));

    private static readonly TokenListParser<QueryToken, Expression[]> Steps =
        Dotted.Or(Scalar.Between(Token.EqualTo(QueryToken.OpenBracket), Token.EqualTo(QueryToken.CloseBracket))).Many();

    private static readonly TokenListParser<QueryToken, char?> Escape =
        Word("ESCAPE").IgnoreThen(Text.Where(text => text.Length == 1, "one character")).Select(text => (char?)text[0]).OptionalOrDefault();

    public static TokenListParser<QueryToken, Token<QueryToken>> Word(string word) => Token.EqualToValueIgnoreCase(QueryToken.Word, word);

    public static double Number(Token<QueryToken> token) =>
        double.Parse(token.Span.AsReadOnlySpan(), NumberStyles.Float, CultureInfo.InvariantCulture);

    private static Datum NumberOf(Token<QueryToken> token) =>
        long.TryParse(token.Span.AsReadOnlySpan(), NumberStyles.None, CultureInfo.InvariantCulture, out var integer)
            ? Datum.From(integer)
            : Datum.FromCalculation(Number(token));

    private static TokenListParser<QueryToken, Token<QueryToken>> Symbol(string symbol) => Token.EqualToValue(QueryToken.Operator, symbol);

    private static TokenListParserResult<QueryToken, Expression> ParseCallOrRoot(TokenList<QueryToken> input)
    {
        var name = Name(input);
        if (!name.HasValue)
            return TokenListParserResult.CastEmpty<QueryToken, Token<QueryToken>, Expression>(name);
        (var text, var start) = (name.Value.ToStringValue(), name.Value.Position.Absolute);
        if (!Token.EqualTo(QueryToken.OpenParenthesis)(name.Remainder).HasValue)
            return Value(new Root(text, start), input, name.Remainder);
        var arguments = Arguments(name.Remainder);
        if (!arguments.HasValue)
            return TokenListParserResult.CastEmpty<QueryToken, Expression[], Expression>(arguments);
        var call = FunctionCatalog.Call(text, arguments.Value, PlaceOf(input, arguments.Remainder));
        return Value(call, input, arguments.Remainder);
    }

    private static TokenListParserResult<QueryToken, Expression> ParseUserCall(TokenList<QueryToken> input)
    {
        var call = UserFunction(input);
        return call.HasValue
            ? Value(new UserCall(call.Value.Name, call.Value.Arguments, PlaceOf(input, call.Remainder)), input, call.Remainder)
            : TokenListParserResult.CastEmpty<QueryToken, (string Name, Expression[] Arguments), Expression>(call);
    }

    /// <summary>Where the tokens before the remainder are in the text.</summary>
    public static TextPlace PlaceOf(TokenList<QueryToken> from, TokenList<QueryToken> remainder)
    {
        if (remainder.Position == from.Position)
            return default;
        var last = from.ElementAt(remainder.Position - from.Position - 1);
        return new TextPlace(from.ConsumeToken().Value.Position.Absolute, last.Position.Absolute + last.Span.Length);
    }

    /// <summary>A query in brackets.</summary>
    public static TokenListParser<QueryToken, Expression> Subquery(SubqueryKind kind) => input =>
    {
        var query = Query(input);
        if (!query.HasValue)
            return TokenListParserResult.CastEmpty<QueryToken, QuerySyntax, Expression>(query);
        var place = PlaceOf(input, query.Remainder);
        var text = input.ConsumeToken().Value.Span.Source![place.Start..place.End];
        return Value(new Subquery(kind, query.Value, text, place), input, query.Remainder);
    };

    private static TokenListParserResult<QueryToken, Expression> ParseBrackets(TokenList<QueryToken> input)
    {
        var open = Token.EqualTo(QueryToken.OpenParenthesis)(input);
        return open.HasValue && Word("SELECT")(open.Remainder).HasValue
            ? Subquery(SubqueryKind.Scalar)(input)
            : Scalar.Between(Token.EqualTo(QueryToken.OpenParenthesis), Token.EqualTo(QueryToken.CloseParenthesis))(input);
    }

    /// <summary>A value, and the properties and elements that are taken of it.</summary>
    /// <exception cref="RequestException">400: the name of a property is not constant, which the service does not evaluate.</exception>
    private static TokenListParserResult<QueryToken, Expression> ParsePostfix(TokenList<QueryToken> input)
    {
        var first = Primary(input);
        if (!first.HasValue)
            return first;
        var steps = Steps(first.Remainder);
        if (!steps.HasValue)
            return TokenListParserResult.CastEmpty<QueryToken, Expression[], Expression>(steps);
        if (steps.Value.Length == 0)
            return first;
        var place = PlaceOf(input, steps.Remainder);
        if (!steps.Value.All(step => step is Constant { Value.Type: DatumType.Text or DatumType.Number } or Parameter))
        {
            throw RequestException.InQuery(
                "SC2990", place, "The specified query includes 'member indexer' which is currently not supported.");
        }

        var value = steps.Value.Aggregate(first.Value, (owner, name) => new Member(owner, name) { Place = place });
        return Value(value, input, steps.Remainder);
    }

    /// <summary><c>a ?? b</c> binds less tightly than <c>a ? b : c</c>, which binds less tightly than all other operators.</summary>
    private static TokenListParserResult<QueryToken, Expression> ParseScalar(TokenList<QueryToken> input)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        var result = ParseConditional(input);
        while (result.HasValue && Symbol("??")(result.Remainder) is { HasValue: true } symbol)
        {
            var second = ParseConditional(symbol.Remainder);
            result = second.HasValue ? Value(new Coalesce(result.Value, second.Value), input, second.Remainder) : second;
        }

        return result;
    }

    private static TokenListParserResult<QueryToken, Expression> ParseConditional(TokenList<QueryToken> input)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        var condition = ParseOperators(input, 1);
        if (!condition.HasValue || Token.EqualTo(QueryToken.Question)(condition.Remainder) is not { HasValue: true } question)
            return condition;
        var then = ParseScalar(question.Remainder);
        if (!then.HasValue)
            return then;
        var colon = Token.EqualTo(QueryToken.Colon)(then.Remainder);
        if (!colon.HasValue)
            return TokenListParserResult.CastEmpty<QueryToken, Token<QueryToken>, Expression>(colon);
        var otherwise = ParseConditional(colon.Remainder);
        return otherwise.HasValue
            ? Value(new Conditional(condition.Value, then.Value, otherwise.Value), input, otherwise.Remainder)
            : otherwise;
    }

    /// <summary>Parses operators of at least the rank by precedence climbing; all are left-associative.</summary>
    private static TokenListParserResult<QueryToken, Expression> ParseOperators(TokenList<QueryToken> input, int minRank)
    {
        var result = ParseUnary(input);
        while (result.HasValue && !result.Remainder.IsAtEnd)
        {
            var rest = result.Remainder;
            var token = rest.ConsumeToken().Value;
            TokenListParserResult<QueryToken, Expression>? next = null;
            if (token.Kind is QueryToken.Operator or QueryToken.Star or QueryToken.Word
                && Operators.TryGetValue(token.ToStringValue(), out var found) && found.Rank >= minRank)
                next = found.Kind is BinaryOperator.And or BinaryOperator.Or
                    ? ParseJunction(result.Value, rest, found.Rank, found.Kind == BinaryOperator.And)
                    : ParseBinary(result.Value, rest.ConsumeToken().Remainder, found.Rank, found.Kind);
            else if (token.Kind == QueryToken.Word && minRank <= ConditionRank)
                next = ParseCondition(result.Value, rest);
            if (next is not { } parsed)
                break;
            result = parsed;
        }

        return result;
    }

    private static TokenListParserResult<QueryToken, Expression> ParseUnary(TokenList<QueryToken> input)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        if (Prefix(input) is not { HasValue: true } prefix)
            return ParsePostfix(input);
        var operand = ParseUnary(prefix.Remainder);
        if (!operand.HasValue)
            return operand;
        Expression value = prefix.Value is UnaryOperator.Minus or UnaryOperator.Plus
            && operand.Value is Constant { Value.Type: DatumType.Number } constant
                ? new Constant(prefix.Value == UnaryOperator.Minus ? constant.Value.Negated() : constant.Value)
                : new Unary(prefix.Value, operand.Value);
        return Value(value, input, operand.Remainder);
    }

    private static TokenListParserResult<QueryToken, Expression> ParseBinary(
        Expression left, TokenList<QueryToken> rest, int rank, BinaryOperator kind)
    {
        var right = ParseOperators(rest, rank + 1);
        return right.HasValue ? Value(new Binary(kind, left, right.Value), rest, right.Remainder) : right;
    }

    /// <summary>Takes all operands of a chain of ANDs or ORs at once, so that long chains are not deep.</summary>
    private static TokenListParserResult<QueryToken, Expression> ParseJunction(
        Expression first, TokenList<QueryToken> rest, int rank, bool isAnd)
    {
        var operands = new List<Expression> { first };
        var word = Word(isAnd ? "AND" : "OR");
        while (word(rest) is { HasValue: true } found)
        {
            var operand = ParseOperators(found.Remainder, rank + 1);
            if (!operand.HasValue)
                return operand;
            operands.Add(operand.Value);
            rest = operand.Remainder;
        }

        return Value(new Junction(isAnd, operands), rest, rest);
    }

    /// <summary>IN, BETWEEN or LIKE after a value, with or without NOT; null for anything else.</summary>
    private static TokenListParserResult<QueryToken, Expression>? ParseCondition(Expression value, TokenList<QueryToken> rest)
    {
        var not = Word("NOT")(rest);
        var at = not.HasValue ? not.Remainder : rest;
        TokenListParserResult<QueryToken, Expression> result;
        if (Word("IN")(at) is { HasValue: true } isIn)
            result = NonEmptyList.Between(Token.EqualTo(QueryToken.OpenParenthesis), Token.EqualTo(QueryToken.CloseParenthesis))
                .Select(others => (Expression)new In(value, others))(isIn.Remainder);
        else if (Word("BETWEEN")(at) is { HasValue: true } isBetween)
            result =
                (from least in Operand
                 from and in Word("AND")
                 from most in Operand
                 select (Expression)new Between(value, least, most))(isBetween.Remainder);
        else if (Word("LIKE")(at) is { HasValue: true } isLike)
            result =
                (from pattern in Operand
                 from escape in Escape
                 select (Expression)new Like(value, pattern, escape))(isLike.Remainder);
        else
            return null;
        return result.HasValue && not.HasValue ? Value(new Unary(UnaryOperator.Not, result.Value), rest, result.Remainder) : result;
    }

    private static TokenListParserResult<QueryToken, Expression> Value(
        Expression value, TokenList<QueryToken> location, TokenList<QueryToken> remainder) =>
        TokenListParserResult.Value(value, location, remainder);
}
