using System.Collections.Concurrent;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries.Syntax;
using ScaleOut.Simulator.Engine.Queries.Values;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Reads queries as clients send them. Texts that were read lately are not read again.</summary>
internal static class QueryParser
{
    private const int MostKept = 500;
    private const int LongestKept = 8 * 1024;

    private static readonly ConcurrentDictionary<string, QuerySyntax> Known = new(StringComparer.Ordinal);

    /// <summary>Parses the body of a query request: <c>{"query": "...", "parameters": [{"name": "@v", "value": ...}]}</c>.</summary>
    /// <param name="body">The body.</param>
    /// <param name="index">What the container's index holds; null where it does not matter.</param>
    /// <exception cref="RequestException">400: malformed, or beyond what is simulated.</exception>
    public static ParsedQuery ParseRequest(ReadOnlyMemory<byte> body, IndexingPolicy? index = null)
    {
        return RequestException.ReadJson(body, "The request payload is no object with a query and its parameters.", Read, isRejected: true);

        ParsedQuery Read(JsonElement root)
        {
            string text = root.GetProperty("query").GetString() ?? "";
            var parameters = new Dictionary<string, Datum>(StringComparer.Ordinal);
            if (root.TryGetProperty("parameters", out JsonElement list) && list.ValueKind == JsonValueKind.Array)
            {
                foreach (JsonElement parameter in list.EnumerateArray())
                {
                    parameters[parameter.GetProperty("name").GetString() ?? ""] =
                        parameter.TryGetProperty("value", out JsonElement value) ? Datum.From(value).Detached() : Datum.Undefined;
                }
            }

            ResumeFilter? resume = root.TryGetProperty("resumeFilter", out JsonElement filter) && filter.ValueKind == JsonValueKind.Object
                ? ResumeFilter.Read(filter)
                : null;
            return Parse(text, parameters, resume, index);
        }
    }

    /// <exception cref="RequestException">400: malformed, or beyond what is simulated.</exception>
    public static ParsedQuery Parse(
        string text, IReadOnlyDictionary<string, Datum> parameters, ResumeFilter? resume = null, IndexingPolicy? index = null)
    {
        if (!Known.TryGetValue(text, out QuerySyntax? syntax))
        {
            syntax = QueryGrammar.Parse(text);
            if (Known.Count >= MostKept)
                Known.Clear();
            if (text.Length <= LongestKept)
                Known[text] = syntax;
        }

        if (resume is not null && resume.Values.Count != syntax.OrderBy.Count)
            throw RequestException.BadRequest("The resume filter has not one value for each ORDER BY item.");
        return new ParsedQuery(syntax, parameters, index) { Resume = resume };
    }
}
