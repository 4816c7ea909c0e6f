using System.Buffers;
using System.Text.Json;
using System.Text.Unicode;
using ScaleOut.PartitionKeys;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>Reads a document's body once: its id, its partition key, and how many of its leaves the index takes up.</summary>
internal sealed class DocumentInspector(PartitionKeyVersion version, IReadOnlyList<string> partitionKeyPath, IndexingPolicy indexing)
{
    private const int MaxDepth = 128;
    private const int MaxIdBytes = 1023;
    private const int MaxPartitionKeyBytes = 2048;

    private readonly byte[][] _path = [.. partitionKeyPath.Select(segment => System.Text.Encoding.UTF8.GetBytes(segment))];

    /// <summary>Fills <paramref name="facts"/>; otherwise says what is wrong, for a 400.</summary>
    public bool TryInspect(ReadOnlyMemory<byte> body, ref DocumentFacts facts, out string? fault)
    {
        try
        {
            facts = new DocumentFacts { Body = TrimByteOrderMark(body) };
            // JSON is UTF-8, and the reader looks only at what it decodes.
            if (!Utf8.IsValid(facts.Body.Span))
                throw new JsonException();
            return Inspect(ref facts, out fault);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // InvalidOperationException: text that is no UTF-8.
            fault = "The request payload is invalid. Ensure to provide a valid request payload.";
            return false;
        }
    }

    private bool Inspect(ref DocumentFacts facts, out string? fault)
    {
        var reader = new Utf8JsonReader(facts.Body.Span, new JsonReaderOptions { MaxDepth = MaxDepth });
        bool countsLeaves = indexing.ChargesLeaves;
        var walker = countsLeaves && !indexing.IndexesEverything ? new IndexPathWalker(indexing.Root) : null;
        int leaves = 0;
        int pathDepth = 0;
        bool hasId = false;
        bool keyNext = false;
        facts.PartitionKey = PartitionKeyIdentity.From(version, PartitionKeyValue.Undefined);

        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException();
        while (reader.Read())
        {
            if (reader.TokenType == JsonTokenType.PropertyName)
            {
                int depth = reader.CurrentDepth;
                if (depth == 1)
                {
                    if (reader.ValueTextEquals("id"u8))
                    {
                        if (!TryReadId(ref reader, ref facts, out fault))
                            return false;
                        hasId = true;
                        if (_path is [var only] && "id"u8.SequenceEqual(only) && !TryReadKey(ref reader, ref facts, out fault))
                            return false;
                        continue;
                    }

                    if (reader.ValueSpan is [(byte)'_', ..] && IsSystemProperty(ref reader))
                    {
                        facts.HasSystemProperties = true;
                        reader.Skip();
                        continue;
                    }
                }

                // The path's next segment counts only inside the object that the segments before it led to.
                pathDepth = Math.Min(pathDepth, depth - 1);
                keyNext = false;
                if (depth == pathDepth + 1 && depth <= _path.Length && reader.ValueTextEquals(_path[depth - 1]))
                {
                    if (depth == _path.Length)
                        keyNext = true;
                    else
                        pathDepth = depth;
                }

                walker?.EnterProperty(ref reader);
                continue;
            }

            if (keyNext)
            {
                keyNext = false;
                if (!TryReadKey(ref reader, ref facts, out fault))
                    return false;
            }

            if (walker is not null)
                leaves += walker.Step(ref reader) ? 1 : 0;
            else if (reader.TokenType is >= JsonTokenType.String and <= JsonTokenType.Null)
                leaves++;
            if (reader.TokenType == JsonTokenType.EndObject && reader.CurrentDepth == 0)
                break;
        }

        facts.Body = facts.Body[..(int)reader.BytesConsumed];
        facts.Leaves = countsLeaves ? leaves : 0;
        fault = hasId ? null : "The input content is invalid because the required properties - 'id; ' - are missing";
        // Whatever follows the object but white space is an error that the reader throws.
        return !(reader.IsFinalBlock && reader.Read()) && hasId;
    }

    private static bool TryReadId(ref Utf8JsonReader reader, ref DocumentFacts facts, out string? fault)
    {
        reader.Read();
        fault = "The input content is invalid because the id is not a string of 1 to 1023 bytes without '/' and '\\'.";
        if (reader.TokenType != JsonTokenType.String || reader.ValueSpan.Length is 0 or > MaxIdBytes * 6)
            return false;
        scoped ReadOnlySpan<byte> id = reader.ValueSpan;
        Span<byte> unescaped = stackalloc byte[reader.ValueIsEscaped ? id.Length : 0];
        if (reader.ValueIsEscaped)
            id = unescaped[..reader.CopyString(unescaped)];
        if (id.Length > MaxIdBytes || id.ContainsAny((byte)'/', (byte)'\\'))
            return false;
        facts.IdHash = DocumentIds.Hash(id);
        fault = null;
        return true;
    }

    private bool TryReadKey(ref Utf8JsonReader reader, ref DocumentFacts facts, out string? fault)
    {
        fault = null;
        byte[] rented = ArrayPool<byte>.Shared.Rent(reader.ValueIsEscaped ? reader.ValueSpan.Length : 0);
        try
        {
            if (!PartitionKeyValue.TryRead(ref reader, rented, out PartitionKeyValue value))
                fault = "Partition key provided in the document is an object or an array; it must be a scalar.";
            else if (value.Text.Length > MaxPartitionKeyBytes)
                fault = "Partition key value exceeds the 2048 bytes it may have.";
            else
                facts.PartitionKey = PartitionKeyIdentity.From(version, value);
            return fault is null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private static bool IsSystemProperty(ref Utf8JsonReader reader) =>
        reader.ValueTextEquals("_rid"u8) || reader.ValueTextEquals("_self"u8) || reader.ValueTextEquals("_etag"u8)
        || reader.ValueTextEquals("_ts"u8) || reader.ValueTextEquals("_attachments"u8);

    private static ReadOnlyMemory<byte> TrimByteOrderMark(ReadOnlyMemory<byte> body)
    {
        if (body.Span.StartsWith((ReadOnlySpan<byte>)[0xEF, 0xBB, 0xBF]))
            body = body[3..];
        int start = body.Span.IndexOf((byte)'{');
        return start > 0 && body.Span[..start].Trim(" \t\r\n"u8).IsEmpty ? body[start..] : body;
    }
}
