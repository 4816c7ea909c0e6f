using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// Parses <c>SELECT * | VALUE COUNT(1) | VALUE [{"item": COUNT(1)}] FROM source [alias] [WHERE path comparison value {AND ...}]</c>.
/// A value is a literal or a parameter.
/// </summary>
internal sealed class QueryParser
{
    private static readonly string[] SystemProperties = ["_rid", "_self", "_etag", "_ts", "_attachments"];

    private readonly string _text;
    private readonly List<QueryToken> _tokens;
    private readonly Dictionary<string, QueryValue> _parameters;
    private int _at;

    private QueryParser(string text, Dictionary<string, QueryValue> parameters)
    {
        _text = text;
        _tokens = QueryLexer.Read(text);
        _parameters = parameters;
    }

    private QueryToken Next => _tokens[_at];

    /// <summary>Parses the body of a query request: <c>{"query": "...", "parameters": [{"name": "@v", "value": ...}]}</c>.</summary>
    /// <exception cref="RequestException">400: malformed, or beyond what is simulated.</exception>
    public static ParsedQuery ParseRequest(ReadOnlyMemory<byte> body)
    {
        return RequestException.ReadJson(body, "The request payload is no object with a query and its parameters.", Read, isRejected: true);

        static ParsedQuery Read(JsonElement root)
        {
            string text = root.GetProperty("query").GetString() ?? "";
            var parameters = new Dictionary<string, QueryValue>(StringComparer.Ordinal);
            if (root.TryGetProperty("parameters", out JsonElement list) && list.ValueKind == JsonValueKind.Array)
            {
                foreach (JsonElement parameter in list.EnumerateArray())
                    parameters[parameter.GetProperty("name").GetString() ?? ""] = QueryValue.From(parameter.GetProperty("value"));
            }

            return Parse(text, parameters);
        }
    }

    /// <exception cref="RequestException">400: malformed, or beyond what is simulated.</exception>
    public static ParsedQuery Parse(string text, Dictionary<string, QueryValue> parameters) =>
        new QueryParser(text, parameters).ParseQuery();

    private ParsedQuery ParseQuery()
    {
        ExpectWord("SELECT");
        QueryProjection projection = ParseProjection();
        ExpectWord("FROM");
        int source = Next.Start;
        string alias = ExpectName();
        if (Next.IsWord("AS"))
            _at++;
        if (Next.Kind == QueryTokenKind.Word && !Next.IsWord("WHERE"))
            alias = ExpectName();
        int condition = Next.Start;
        var filters = new List<QueryFilter>();
        if (Next.IsWord("WHERE"))
        {
            do
            {
                _at++;
                filters.Add(ParseFilter(alias));
            }
            while (Next.IsWord("AND"));
        }

        if (Next.Kind != QueryTokenKind.End)
            throw Syntax();
        return new ParsedQuery
        {
            Projection = projection,
            Filters = filters,
            Source = _text[source..condition].Trim(),
            Condition = _text[condition..].Trim(),
        };
    }

    private QueryProjection ParseProjection()
    {
        if (Next.IsSymbol("*"))
        {
            _at++;
            return QueryProjection.Documents;
        }

        ExpectWord("VALUE");
        bool partial = Next.IsSymbol("[");
        if (partial)
        {
            ExpectSymbols("[", "{");
            if (Next.Kind != QueryTokenKind.Text || Next.Value != "item")
                throw Syntax();
            _at++;
            ExpectSymbols(":");
        }

        ExpectWord("COUNT");
        ExpectSymbols("(");
        if (Next.Kind is not (QueryTokenKind.Number or QueryTokenKind.Word))
            throw Syntax();
        _at++;
        ExpectSymbols(")");
        if (partial)
            ExpectSymbols("}", "]");
        return partial ? QueryProjection.PartialCount : QueryProjection.Count;
    }

    private QueryFilter ParseFilter(string alias)
    {
        int start = _at;
        if (ExpectName() != alias)
        {
            _at = start;
            throw Syntax();
        }

        var path = new List<string>();
        while (true)
        {
            if (Next.IsSymbol("."))
            {
                _at++;
                path.Add(ExpectName());
            }
            else if (Next.IsSymbol("["))
            {
                _at++;
                if (Next.Kind != QueryTokenKind.Text)
                    throw Syntax();
                path.Add(_tokens[_at++].Value);
                ExpectSymbols("]");
            }
            else
            {
                break;
            }
        }

        if (path.Count == 0)
            throw Syntax();
        if (SystemProperties.Contains(path[0]))
            throw RequestException.Rejected(ServiceStatus.BadRequest, $"Conditions on the system property {path[0]} are not simulated.");
        QueryComparison comparison = ParseComparison();
        return new QueryFilter(path, comparison, ParseValue());
    }

    private QueryComparison ParseComparison()
    {
        QueryComparison comparison = Next.Kind != QueryTokenKind.Symbol ? throw Syntax() : Next.Value switch
        {
            "=" => QueryComparison.Equal,
            "!=" or "<>" => QueryComparison.NotEqual,
            "<" => QueryComparison.Less,
            "<=" => QueryComparison.LessOrEqual,
            ">" => QueryComparison.Greater,
            ">=" => QueryComparison.GreaterOrEqual,
            _ => throw Syntax(),
        };
        _at++;
        return comparison;
    }

    private QueryValue ParseValue()
    {
        QueryToken token = Next;
        QueryValue value = token.Kind switch
        {
            QueryTokenKind.Text => QueryValue.From(token.Value),
            QueryTokenKind.Number => QueryValue.From(double.Parse(token.Value, CultureInfo.InvariantCulture)),
            QueryTokenKind.Parameter => _parameters.GetValueOrDefault(token.Value)
                ?? throw RequestException.Rejected(ServiceStatus.BadRequest, $"The query's parameter {token.Value} has no value."),
            QueryTokenKind.Word when token.IsWord("true") || token.IsWord("false") => QueryValue.From(token.IsWord("true")),
            QueryTokenKind.Word when token.IsWord("null") => QueryValue.Null,
            _ => throw Syntax(),
        };
        _at++;
        return value;
    }

    private string ExpectName() => Next.Kind == QueryTokenKind.Word ? _tokens[_at++].Value : throw Syntax();

    private void ExpectWord(string word)
    {
        if (!Next.IsWord(word))
            throw Syntax();
        _at++;
    }

    private void ExpectSymbols(params ReadOnlySpan<string> symbols)
    {
        foreach (string symbol in symbols)
        {
            if (!Next.IsSymbol(symbol))
                throw Syntax();
            _at++;
        }
    }

    private RequestException Syntax() => QueryLexer.Syntax(_text, Next.Start);
}
