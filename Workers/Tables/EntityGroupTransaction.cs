using System.Buffers;
using System.Buffers.Text;
using System.Text;
using Azure;

namespace ScaleOut.Workers.Tables;

/// <summary>
/// An entity group transaction of inserts: an OData batch of one change set. It is made once and may be sent several times.
/// </summary>
/// <param name="table">Address of the table.</param>
internal sealed class EntityGroupTransaction(Uri table)
{
    private readonly string _boundary = $"batch_{Guid.NewGuid():D}";
    private readonly string _changeSet = $"changeset_{Guid.NewGuid():D}";
    private ArrayBufferWriter<byte> _body = new();

    /// <summary>Inserts in it.</summary>
    public int Count { get; private set; }

    public string ContentType => $"multipart/mixed; boundary={_boundary}";

    /// <summary>The whole body, once <see cref="End"/> was called.</summary>
    public ReadOnlyMemory<byte> Body => _body.WrittenMemory;

    /// <summary>Begins the next transaction.</summary>
    public void Begin()
    {
        _body.ResetWrittenCount();
        Count = 0;
        Write($"--{_boundary}\r\nContent-Type: multipart/mixed; boundary={_changeSet}\r\n\r\n");
    }

    /// <summary>Adds an insert.</summary>
    /// <param name="entity">Its JSON, on one line.</param>
    public void Insert(ReadOnlySpan<byte> entity)
    {
        Count++;
        Write(
            $"--{_changeSet}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            + $"POST {table.AbsoluteUri} HTTP/1.1\r\nContent-ID: {Count}\r\nContent-Type: application/json\r\n"
            + "Accept: application/json;odata=minimalmetadata\r\nPrefer: return-no-content\r\nDataServiceVersion: 3.0\r\n\r\n");
        _body.Write(entity);
        Write("\r\n");
    }

    public void End() => Write($"--{_changeSet}--\r\n--{_boundary}--\r\n");

    /// <summary>
    /// After an exception the network may still be reading the body: it is left to the garbage collector, and the transaction goes on with
    /// a copy.
    /// </summary>
    public void Abandon()
    {
        var copy = new ArrayBufferWriter<byte>(_body.WrittenCount);
        copy.Write(_body.WrittenSpan);
        _body = copy;
    }

    private void Write(string text)
    {
        var span = _body.GetSpan(Encoding.UTF8.GetMaxByteCount(text.Length));
        _body.Advance(Encoding.UTF8.GetBytes(text, span));
    }
}

/// <summary>The response to a transaction.</summary>
/// <param name="Status">The status that decides: of the first operation that failed, else of the whole.</param>
/// <param name="Error">What the service says of it; null for a transaction that was done.</param>
/// <param name="RetryAfter">How long the service asks to wait; zero where it does not say.</param>
internal sealed record TransactionResponse(int Status, TableError? Error, TimeSpan RetryAfter)
{
    private const int Accepted = 202;
    private const int Created = 201;

    /// <summary>Reads a response.</summary>
    /// <param name="response">Of the service.</param>
    /// <param name="operations">Inserts in the transaction.</param>
    public static TransactionResponse From(Response response, int operations)
    {
        var retryAfter = response.Headers.TryGetValue("Retry-After", out var text) && int.TryParse(text, out var seconds) && seconds > 0
            ? TimeSpan.FromSeconds(seconds)
            : TimeSpan.Zero;
        return response.Status == Accepted
            ? From(response.Content.ToMemory().Span, operations) with { RetryAfter = retryAfter }
            : new TransactionResponse(response.Status, TableError.From(response), retryAfter);
    }

    /// <summary>Reads the body of an accepted transaction: a response for each insert, or one for the insert that failed.</summary>
    /// <param name="body">Multipart.</param>
    /// <param name="operations">Inserts in the transaction.</param>
    public static TransactionResponse From(ReadOnlySpan<byte> body, int operations)
    {
        var done = 0;
        for (var rest = body; NextStatus(ref rest) is { } status;)
        {
            if (status is >= 200 and < 300)
                done++;
            else
                return new TransactionResponse(status, ErrorIn(rest), TimeSpan.Zero);
        }

        return done == operations
            ? new TransactionResponse(Created, Error: null, TimeSpan.Zero)
            : new TransactionResponse(
                0,
                new TableError(Code: null, $"The response has {done} results for {operations} entities.", Operation: null),
                TimeSpan.Zero);
    }

    /// <summary>The status of the next response within the body, after which the rest begins; null when there is none.</summary>
    private static int? NextStatus(ref ReadOnlySpan<byte> rest)
    {
        var mark = "\nHTTP/1.1 "u8;
        var at = rest.IndexOf(mark);
        if (at < 0)
            return null;
        rest = rest[(at + mark.Length)..];
        return Utf8Parser.TryParse(rest, out int status, out _) ? status : 0;
    }

    private static TableError ErrorIn(ReadOnlySpan<byte> rest) =>
        TableError.From(rest.IndexOf((byte)'{') is >= 0 and var at ? rest[at..] : default);
}
