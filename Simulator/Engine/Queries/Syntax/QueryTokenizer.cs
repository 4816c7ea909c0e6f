using Superpower;
using Superpower.Display;
using Superpower.Model;
using Superpower.Parsers;
using Superpower.Tokenizers;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

internal enum QueryToken
{
    [Token(Description = "a name")] Word,
    [Token(Description = "a parameter")] Parameter,
    [Token(Description = "text in quotes")] Text,
    [Token(Description = "a number")] Number,
    [Token(Example = ".")] Dot,
    [Token(Example = ",")] Comma,
    [Token(Example = ":")] Colon,
    [Token(Example = "(")] OpenParenthesis,
    [Token(Example = ")")] CloseParenthesis,
    [Token(Example = "[")] OpenBracket,
    [Token(Example = "]")] CloseBracket,
    [Token(Example = "{")] OpenBrace,
    [Token(Example = "}")] CloseBrace,
    [Token(Example = "*")] Star,
    [Token(Example = "?")] Question,
    [Token(Description = "an operator")] Operator,
}

internal static class QueryTokenizer
{
    private static readonly TextParser<TextSpan> Word = Span.MatchedBy(
        Character.Matching(c => char.IsAsciiLetter(c) || c == '_', "letter")
            .IgnoreThen(Character.Matching(c => char.IsAsciiLetterOrDigit(c) || c == '_', "letter or digit").IgnoreMany()));

    private static readonly TextParser<TextSpan> Parameter = Character.EqualTo('@').IgnoreThen(Word);

    private static readonly TextParser<Unit> Digits = Character.Digit.IgnoreThen(Character.Digit.IgnoreMany());

    private static readonly TextParser<Unit> Exponent =
        from mark in Character.EqualToIgnoreCase('e')
        from sign in Character.In('+', '-').OptionalOrDefault()
        from digits in Digits
        select Unit.Value;

    private static readonly TextParser<TextSpan> Number = Span.MatchedBy(
        from whole in
            (from digits in Digits
             from fraction in Character.EqualTo('.').IgnoreThen(Character.Digit.IgnoreMany()).OptionalOrDefault()
             select Unit.Value)
            .Or(Character.EqualTo('.').IgnoreThen(Digits))
        from exponent in Exponent.OptionalOrDefault()
        select Unit.Value);

    public static Tokenizer<QueryToken> Instance { get; } = new TokenizerBuilder<QueryToken>()
        .Ignore(Span.WhiteSpace)
        .Ignore(Comment.SqlStyle)
        .Match(Number.Try(), QueryToken.Number, requireDelimiters: true)
        .Match(Word, QueryToken.Word)
        .Match(Parameter, QueryToken.Parameter)
        .Match(Quoted('\''), QueryToken.Text)
        .Match(Quoted('"'), QueryToken.Text)
        .Match(Span.EqualTo("??").Or(Span.EqualTo("||")), QueryToken.Operator)
        .Match(Operator(">>>", ">>", "<<", "!=", "<>", "<=", ">="), QueryToken.Operator)
        .Match(Character.EqualTo('.'), QueryToken.Dot)
        .Match(Character.EqualTo(','), QueryToken.Comma)
        .Match(Character.EqualTo(':'), QueryToken.Colon)
        .Match(Character.EqualTo('('), QueryToken.OpenParenthesis)
        .Match(Character.EqualTo(')'), QueryToken.CloseParenthesis)
        .Match(Character.EqualTo('['), QueryToken.OpenBracket)
        .Match(Character.EqualTo(']'), QueryToken.CloseBracket)
        .Match(Character.EqualTo('{'), QueryToken.OpenBrace)
        .Match(Character.EqualTo('}'), QueryToken.CloseBrace)
        .Match(Character.EqualTo('*'), QueryToken.Star)
        .Match(Character.EqualTo('?'), QueryToken.Question)
        .Match(Character.In('=', '<', '>', '+', '-', '/', '%', '&', '|', '^', '~'), QueryToken.Operator)
        .Build();

    /// <summary>Whether a text is the name of a parameter, with its <c>@</c>.</summary>
    public static bool IsParameter(string name) => Parameter.AtEnd().TryParse(name).HasValue;

    private static TextParser<TextSpan> Operator(params string[] operators) =>
        operators.Select(text => Span.EqualTo(text).Try()).Aggregate((left, right) => left.Or(right));

    private static TextParser<TextSpan> Quoted(char quote) => Span.MatchedBy(
        from open in Character.EqualTo(quote)
        from content in Character.EqualTo('\\').IgnoreThen(Character.AnyChar).Or(Character.ExceptIn(quote, '\\')).IgnoreMany()
        from close in Character.EqualTo(quote)
        select Unit.Value);
}

/// <summary>Words that cannot be names.</summary>
internal static class Keywords
{
    private static readonly FrozenSet<string> Reserved = FrozenSet.Create(
        StringComparer.OrdinalIgnoreCase,
        "AND", "ARRAY", "AS", "ASC", "BETWEEN", "BY", "DESC", "DISTINCT", "ESCAPE", "EXISTS", "FALSE", "FROM", "GROUP", "IN", "JOIN",
        "LEFT", "LIKE", "LIMIT", "NOT", "NULL", "OFFSET", "OR", "ORDER", "RANK", "RIGHT", "SELECT", "TOP", "TRUE", "UDF",
        "UNDEFINED", "VALUE", "WHERE");

    public static bool IsReserved(TextSpan word) => Reserved.Contains(word.ToStringValue());

    /// <summary>Whether a keyword is also the name of a function.</summary>
    public static bool IsFunction(TextSpan word) => word.EqualsValueIgnoreCase("LEFT") || word.EqualsValueIgnoreCase("RIGHT");
}
