using System.Buffers.Text;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// <c>{ id, KeyNumber, SomeText: "blah blah", SomeCount: 100, PartitionKey }</c>: about 155 bytes, id and key guids, <c>KeyNumber</c> the
/// document number. The document of the published test that made one million inserts into one container.
/// </summary>
/// <param name="runId">Run id.</param>
/// <param name="keyIsId">Whether the partition key is the id, so that every document has a key of its own.</param>
public sealed class PerfTestDocuments(string runId, bool keyIsId) : IDocumentSource
{
    private const int GuidLength = 36;

    private readonly DocumentIdentity _ids = new(runId, "id");
    private readonly DocumentIdentity _keys = new(runId, "key");
    private readonly DocumentIdentity _batchKeys = new(runId, "batch");

    /// <inheritdoc/>
    public int MaxBytes => 192;

    /// <inheritdoc/>
    public string IdOf(long number) => _ids.From(number).ToString();

    /// <inheritdoc/>
    public string KeyOf(long number) => (keyIsId ? _ids : _keys).From(number).ToString();

    /// <inheritdoc/>
    public string KeyOfBatch(long batch) => _batchKeys.From(batch).ToString();

    /// <inheritdoc/>
    public int Write(long number, string key, Span<byte> buffer)
    {
        var length = Append(buffer, 0, """{"id":"""u8);
        length = AppendGuid(buffer, length, _ids.From(number));
        length = Append(buffer, length, ""","KeyNumber":"""u8);
        Utf8Formatter.TryFormat(number, buffer[length..], out var digits);
        length = Append(buffer, length + digits, ""","SomeText":"blah blah","SomeCount":100,"PartitionKey":" """u8[..^1]);
        length += Encoding.UTF8.GetBytes(key, buffer[length..]);
        return Append(buffer, length, "\"}"u8);
    }

    private static int AppendGuid(Span<byte> buffer, int at, Guid value)
    {
        buffer[at] = (byte)'"';
        Utf8Formatter.TryFormat(value, buffer[(at + 1)..], out _);
        buffer[at + 1 + GuidLength] = (byte)'"';
        return at + GuidLength + 2;
    }

    private static int Append(Span<byte> buffer, int at, ReadOnlySpan<byte> text)
    {
        text.CopyTo(buffer[at..]);
        return at + text.Length;
    }
}
