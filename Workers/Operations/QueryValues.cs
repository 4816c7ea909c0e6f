using System.Text.Json;
using Microsoft.Azure.Cosmos;
using ScaleOut.Specs;
using ScaleOut.Templates;
using ScaleOut.Workers.Documents;

namespace ScaleOut.Workers.Operations;

/// <summary>A query's text with the values of its parameters for each document. Not thread-safe.</summary>
internal sealed class QueryValues
{
    private readonly string _text;
    private readonly IDocumentSource _documents;
    private readonly PlaceholderValues? _partitionKey;
    private readonly IReadOnlyList<Parameter> _parameters;
    private byte[] _buffer = [];

    /// <param name="query">A sound query.</param>
    /// <param name="documents">The documents that it is about.</param>
    /// <param name="runId">For random values.</param>
    public QueryValues(QuerySpec query, IDocumentSource documents, string runId)
    {
        _text = query.Text;
        _documents = documents;
        _partitionKey = query.PartitionKey is { } key ? new PlaceholderValues(runId, Parse(key)) : null;
        _parameters = [.. (query.Parameters ?? []).Select(parameter => Compile(parameter, runId))];
    }

    /// <summary>The query for a document, and the partition key that it is limited to; null for none.</summary>
    public (QueryDefinition Query, string? PartitionKey) From(long document, string id, string key)
    {
        var query = new QueryDefinition(_text);
        foreach (var parameter in _parameters)
            query.WithParameter(parameter.Name, parameter.Fixed ?? ValueOf(parameter, document, id, key));
        return (query, _partitionKey?.From(document, id, key, field => ScalarOf(FieldOf(document, key, field)).ToString()!));
    }

    private static IReadOnlyList<TemplatePart> Parse(string text) =>
        TextTemplate.Parse(text, (_, message) => throw new FormatException(message), ofDocument: true);

    private static Parameter Compile(QueryParameterSpec parameter, string runId)
    {
        using var value = JsonDocument.Parse(parameter.Value);
        if (value.RootElement.ValueKind != JsonValueKind.String)
            return new Parameter(parameter.Name, ScalarOf(value.RootElement), null, null);
        var parts = Parse(value.RootElement.GetString()!);
        return new Parameter(parameter.Name, null, new PlaceholderValues(runId, parts), parts is [var only] ? only : null);
    }

    /// <summary>A placeholder alone keeps its type; any other text is one.</summary>
    private object ValueOf(Parameter parameter, long document, string id, string key)
    {
        if (parameter.Only is { Kind: PlaceholderKind.Field } field)
            return ScalarOf(FieldOf(document, key, field.Text));
        var text = parameter.Text!.From(document, id, key, name => ScalarOf(FieldOf(document, key, name)).ToString()!);
        if (parameter.Only is not { IsScalar: true })
            return text;
        using var value = JsonDocument.Parse(text);
        return ScalarOf(value.RootElement);
    }

    private JsonElement FieldOf(long document, string key, string name)
    {
        if (_buffer.Length == 0)
            _buffer = new byte[_documents.MaxBytes];
        var length = _documents.Write(document, key, _buffer);
        using var json = JsonDocument.Parse(_buffer.AsMemory(0, length));
        return json.RootElement.TryGetProperty(name, out var value)
            ? value.Clone()
            : throw new DocumentException([$"workload.query: the documents have no field {ErrorName(name)}"]);
    }

    private static string ErrorName(string name) => JsonSerializer.Serialize(name);

    private static object ScalarOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.Number when value.TryGetInt64(out var whole) => whole,
        JsonValueKind.Number => value.GetDouble(),
        JsonValueKind.True or JsonValueKind.False => value.GetBoolean(),
        _ => value.GetRawText(),
    };

    private sealed record Parameter(string Name, object? Fixed, PlaceholderValues? Text, TemplatePart? Only);
}
