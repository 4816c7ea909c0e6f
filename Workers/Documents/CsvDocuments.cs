namespace ScaleOut.Workers.Documents;

/// <summary>
/// The rows of a CSV file: number n is row n modulo their count, in order of keys. In a batch each row keeps its key, so the numbers of a
/// batch become one batch per key among them.
/// </summary>
/// <param name="runId">Run id.</param>
/// <param name="table">The rows.</param>
/// <param name="keyIsId">Whether the partition key is the id instead of the column.</param>
public sealed class CsvDocuments(string runId, CsvTable table, bool keyIsId) : IDocumentSource
{
    private const int IdBytes = 46;

    private readonly DocumentIdentity _ids = new(runId, "id");

    /// <inheritdoc/>
    public int MaxBytes { get; } = IdBytes + table.Rows.Max(row => row.Json.Length) + 1;

    /// <inheritdoc/>
    public bool MixesKeysInBatch => true;

    /// <inheritdoc/>
    public IReadOnlyList<string> Warnings => table.BrokenText is { } text ? [$"document.csv: {text}; they were skipped."] : [];

    /// <inheritdoc/>
    public string IdOf(long number) => _ids.From(number).ToString();

    /// <inheritdoc/>
    public string KeyOf(long number) => keyIsId ? IdOf(number) : RowOf(number).Key;

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">Always: rows keep their own keys.</exception>
    public string KeyOfBatch(long batch) => throw new NotSupportedException("Rows keep their own keys.");

    /// <inheritdoc/>
    public int Write(long number, string key, Span<byte> buffer)
    {
        var json = new JsonText(buffer);
        json.Raw("{\"id\":\""u8);
        json.Guid(_ids.From(number));
        json.Raw("\""u8);
        json.Raw(RowOf(number).Json);
        json.Raw("}"u8);
        return json.Length;
    }

    private CsvRow RowOf(long number) => table.Rows[(int)(number % table.Count)];
}
