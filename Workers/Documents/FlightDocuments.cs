using System.Text;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// Generated flight rows: 50 columns, about 1,725 bytes, airports with the skew of <see cref="Airports"/>. The key is a column; the rows of
/// a batch share its value.
/// </summary>
public sealed class FlightDocuments : IDocumentSource
{
    private const int LongestRow = 3_072;

    private readonly DocumentIdentity _ids;
    private readonly ulong _seed;
    private readonly ulong _batchSeed;
    private readonly string _keyColumn;
    private readonly int _keyIndex;
    private readonly bool _keyIsId;
    private readonly (int Index, byte[] Name, bool IsText)[] _columns;

    /// <param name="runId">Run id.</param>
    /// <param name="document">Columns and key column.</param>
    /// <param name="keyIsId">Whether the partition key is the id instead of the column.</param>
    public FlightDocuments(string runId, DocumentSpec document, bool keyIsId)
    {
        ArgumentNullException.ThrowIfNull(document);
        _ids = new(runId, "id");
        _seed = new DocumentIdentity(runId, "row").Seed;
        _batchSeed = new DocumentIdentity(runId, "batch").Seed;
        _keyColumn = document.FlightsKeyColumn;
        _keyIndex = FlightColumns.IndexOf(_keyColumn);
        _keyIsId = keyIsId;
        _columns = [.. (document.Columns ?? FlightColumns.All).Append(_keyColumn).Distinct()
            .Select(column => (
                FlightColumns.IndexOf(column),
                Encoding.UTF8.GetBytes($",\"{column}\":"),
                FlightRow.IsText(column) || column == _keyColumn))];
    }

    /// <inheritdoc/>
    public int MaxBytes => LongestRow;

    /// <inheritdoc/>
    public string IdOf(long number) => _ids.From(number).ToString();

    /// <inheritdoc/>
    public string KeyOf(long number) => _keyIsId ? IdOf(number) : FlightRow.Make(_seed, number, _keyColumn, key: null)[_keyIndex];

    /// <inheritdoc/>
    public string KeyOfBatch(long batch) => FlightRow.Make(_batchSeed, batch, _keyColumn, key: null)[_keyIndex];

    /// <inheritdoc/>
    public int Write(long number, string key, Span<byte> buffer)
    {
        var values = FlightRow.Make(_seed, number, _keyColumn, _keyIsId ? null : key);
        var json = new JsonText(buffer);
        json.Raw("{\"id\":\""u8);
        json.Guid(_ids.From(number));
        json.Raw("\""u8);
        foreach (var (index, name, isText) in _columns)
        {
            json.Raw(name);
            if (isText)
                json.Raw("\""u8);
            json.Text(values[index]);
            if (isText)
                json.Raw("\""u8);
        }

        json.Raw("}"u8);
        return json.Length;
    }
}
