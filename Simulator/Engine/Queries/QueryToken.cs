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
