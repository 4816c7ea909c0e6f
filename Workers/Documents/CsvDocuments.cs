using CsvHelper;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// The rows of a CSV file (RFC 4180, comma, UTF-8, first line the header), ordered by key, so that batches find rows of one key together.
/// </summary>
public sealed partial class CsvTable
{
    /// <summary>Maximum number of rows. Each worker holds all rows in memory.</summary>
    public const int MaxRows = 5_000_000;

    /// <summary>
    /// Largest size of a row as JSON. The id is added to it, and fits into the difference between a binary and a decimal megabyte.
    /// </summary>
    private const int MaxRowBytes = CosmosLimits.MaxMegabytesPerDocument * 1_000_000;

    private const int MaxRecordBytes = 16 * 1024 * 1024;

    private const long MaxFileBytes = 1L << 30;
    private const int MaxNumberLength = 15;
    private const int MaxNamedRows = 10;

    private readonly List<CsvRow> _rows = [];
    private readonly List<BrokenRow> _broken = [];

    private CsvTable()
    {
    }

    /// <summary>Rows in order of their keys; rows with the same key in the order of the file.</summary>
    internal IReadOnlyList<CsvRow> Rows => _rows;

    /// <summary>Broken rows in order of lines.</summary>
    public IReadOnlyList<BrokenRow> Broken => _broken;

    public int Count => _rows.Count;

    /// <summary>A message that names the broken rows; null if there are none.</summary>
    public string? BrokenText => _broken.Count == 0
        ? null
        : string.Create(
            CultureInfo.InvariantCulture,
            $"{_broken.Count:#,0} of {_broken.Count + _rows.Count:#,0} rows are broken: "
            + $"{string.Join(", ", _broken.Take(MaxNamedRows))}{(_broken.Count > MaxNamedRows ? ", ..." : "")}");

    /// <exception cref="DocumentException">
    /// The file cannot be read, lacks columns, or has broken rows that must not be skipped. It names all errors at once.
    /// </exception>
    public static CsvTable Read(DocumentSpec document)
    {
        var path = document.Csv ?? throw new ArgumentException("There is no CSV file.", nameof(document));
        try
        {
            if (RegularFile.WhyUnreadable(path, MaxFileBytes) is { } reason)
                throw new DocumentException([$"document.csv: {Quote(path)} {reason}"]);
            using var reader = Utf8Lines.Open(path);
            return Read(reader, document);
        }
        catch (DecoderFallbackException e)
        {
            throw new DocumentException([$"document.csv: {Quote(path)}: {Utf8Lines.WhyInvalid(path)}"], e);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new DocumentException([$"document.csv: there is no file {Quote(path)}"], e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new DocumentException([$"document.csv: {Quote(path)} cannot be read: {e.Message}"], e);
        }
    }

    internal static CsvTable Read(TextReader text, DocumentSpec document)
    {
        var table = new CsvTable();
        var options = new CsvReaderOptions
        {
            Separator = ',',
            DetectSeparatorHint = false,
            TrackLineNumbers = true,
            MalformedData = CsvMalformedDataHandling.Skip,
            FieldCountMismatch = CsvFieldCountHandling.Skip,
            OnMalformedRecord = record => table._broken.Add(new BrokenRow(record.LineNumber, ReasonOf(record.Reason))),
            MaxRecordSize = MaxRecordBytes,
        };
        using var reader = CsvReader.Create(text, options, leaveOpen: true);
        try
        {
            reader.ReadHeader();
            string[] header = [.. reader.Headers];
            if (header.Length == 0)
                throw new DocumentException(["document.csv: the file is empty; a header is expected in its first line"]);
            var columns = Columns(header, document);
            while (reader.Read())
                table.Take(reader, columns);
        }
        catch (CsvFormatException e)
        {
            throw new DocumentException([$"document.csv: line {e.LineNumber} cannot be read: {e.Message}"], e);
        }

        return table.Checked(document);
    }

    /// <summary>Positions of the columns that are taken, the key column first.</summary>
    private static List<(int Index, byte[] Name)> Columns(string[] header, DocumentSpec document)
    {
        var errors = new List<string>();
        errors.AddRange(header.GroupBy(name => name).Where(group => group.Count() > 1).Select(
            group => $"document.csv: the header has the column {Quote(group.Key)} twice"));
        var key = IndexOf(document.FlightsKeyColumn, "document.keyColumn");
        var others = document.Columns is { } picked
            ? picked.Select((column, i) => IndexOf(column, $"document.columns[{i}]"))
            : Enumerable.Range(0, header.Length);
        List<int> indices = [.. others.Prepend(key).Where(index => index >= 0).Distinct()];
        if (indices.Any(index => header[index] == "id"))
            errors.Add(
                "document.csv: the column \"id\" cannot be taken, as documents have an id of their own; pick others by document.columns");
        return errors.Count > 0
            ? throw new DocumentException(errors)
            : [.. indices.Select(index => (index, Encoding.UTF8.GetBytes($",{Quote(header[index])}:")))];

        int IndexOf(string column, string path)
        {
            var index = Array.IndexOf(header, column);
            if (index < 0)
                errors.Add($"{path}: the file has no column {Quote(column)}; its header has {string.Join(", ", header.Take(60))}");
            return index;
        }
    }

    private void Take(CsvReader reader, List<(int Index, byte[] Name)> columns)
    {
        if (_rows.Count == MaxRows)
            throw new DocumentException([$"document.csv: the file has more than {MaxRows} rows, and every worker holds them all"]);
        var key = reader.GetString(columns[0].Index);
        var json = Json(reader, columns);
        var reason = string.IsNullOrWhiteSpace(key) ? "no key"
            : Encoding.UTF8.GetByteCount(key) > TemplateSize.MaxKey ? "a key over 2 KB"
            : json.Length > MaxRowBytes ? $"over {CosmosLimits.MaxMegabytesPerDocument} MB"
            : null;
        if (reason is null)
            _rows.Add(new CsvRow(key, json));
        else
            _broken.Add(new BrokenRow(reader.LineNumber, reason));
    }

    private static byte[] Json(CsvReader reader, List<(int Index, byte[] Name)> columns)
    {
        using var json = new MemoryStream();
        for (var i = 0; i < columns.Count; i++)
        {
            var (index, name) = columns[i];
            json.Write(name);
            var value = reader.GetString(index);
            // The key must be a text, because a number would be another key.
            json.Write(Encoding.UTF8.GetBytes(i > 0 && value.Length == 0 ? "null" : i > 0 && IsNumber(value) ? value : Quote(value)));
        }

        return json.ToArray();
    }

    private static string ReasonOf(CsvMalformedReason reason) => reason switch
    {
        CsvMalformedReason.StrayQuote => "a quote within a field",
        CsvMalformedReason.TextAfterClosingQuote => "text after a closing quote",
        CsvMalformedReason.UnterminatedQuote => "a quote that is never closed",
        _ => "another number of columns than the header",
    };

    private static bool IsNumber(string value) => value.Length <= MaxNumberLength && NumberForm().IsMatch(value);

    private CsvTable Checked(DocumentSpec document)
    {
        if (_broken.Count > 0 && document.OnBrokenRow != BrokenRowRule.Skip)
            throw new DocumentException([$"document.csv: {BrokenText} (document.onBrokenRow skip goes on without them)"]);
        if (_rows.Count == 0)
            throw new DocumentException(
                [$"document.csv: the file has no rows{(BrokenText is { } text ? $" that can be used: {text}" : "")}"]);
        var ordered = _rows.OrderBy(row => row.Key, StringComparer.Ordinal).ToList();
        _rows.Clear();
        _rows.AddRange(ordered);
        return this;
    }

    private static string Quote(string text) => JsonSerializer.Serialize(text, ScaleOutJson.Compact);

    [GeneratedRegex(@"^-?(0|[1-9][0-9]*)(\.[0-9]+)?\z", RegexOptions.CultureInvariant)]
    private static partial Regex NumberForm();
}

/// <param name="Json">The row's properties, with a comma before the first one, because they follow the id.</param>
internal readonly record struct CsvRow(string Key, byte[] Json);

/// <param name="Line">Line on which it begins, from 1.</param>
public sealed record BrokenRow(long Line, string Reason)
{
    public override string ToString() => $"line {Line} ({Reason})";
}

/// <summary>
/// The rows of a CSV file: number n is row n modulo their count, in order of keys. In a batch each row keeps its key, so the numbers of a
/// batch become one batch per key.
/// </summary>
/// <param name="keyIsId">Whether the partition key is the id instead of the column.</param>
internal sealed class CsvDocuments(string runId, CsvTable table, bool keyIsId) : IDocumentSource
{
    private const int IdBytes = 46;

    private readonly DocumentIdentity _ids = new(runId, "id");

    public int MaxBytes { get; } = IdBytes + table.Rows.Max(row => row.Json.Length) + 1;

    public bool MixesKeysInBatch => true;

    public long? RepeatsAfter => table.Count;

    public IReadOnlyList<string> Warnings => table.BrokenText is { } text ? [$"document.csv: {text}; they were skipped."] : [];

    public string IdOf(long number) => _ids.From(number).ToString();

    public string KeyOf(long number) => keyIsId ? IdOf(number) : RowOf(number).Key;

    public string KeyOfBatch(long batch) => throw new NotSupportedException("Rows keep their own keys.");

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
