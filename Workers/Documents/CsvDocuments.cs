using CsvHelper;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// The rows of a CSV file (RFC 4180, comma, UTF-8, first line the header). A column becomes numbers or truth values if all of its values
/// are, and else texts; an empty field becomes null. The key column and <c>id</c> are texts, as partition keys and ids are.
/// </summary>
public sealed class CsvTable
{
    /// <summary>Maximum number of rows. Each worker holds all rows in memory.</summary>
    public const int MaxRows = 5_000_000;

    /// <summary>
    /// Largest size of a row as JSON. The id is added to it, and fits into the difference between a binary and a decimal megabyte.
    /// </summary>
    private const int MaxRowBytes = CosmosLimits.MaxMegabytesPerDocument * 1_000_000;

    private const int MaxRecordBytes = 16 * 1024 * 1024;

    private const long MaxFileBytes = 1L << 30;
    private const int MaxNamedRows = 10;
    private const string IdName = "id";
    private const string Field = "document.csv";

    private readonly DocumentSpec _document;
    private readonly List<BrokenRow> _broken = [];
    private readonly Dictionary<(string Key, string Id), long> _ids = [];
    private List<CsvRow> _rows = [];
    private byte[] _usual = [];
    private double _distance = double.MaxValue;

    private CsvTable(DocumentSpec document) => _document = document;

    /// <summary>Rows in the order of the file, or in order of their keys.</summary>
    internal IReadOnlyList<CsvRow> Rows => _rows;

    /// <summary>Broken rows in order of lines.</summary>
    public IReadOnlyList<BrokenRow> Broken => _broken;

    public int Count => _rows.Count;

    /// <summary>A message that names the broken rows; null if there are none.</summary>
    public string? BrokenText => BrokenTextBeside(_rows.Count);

    /// <summary>Reads the file of a spec's documents, whose <see cref="DocumentShape"/> then is that of the rows.</summary>
    /// <param name="byKey">Whether rows are ordered by key, so that batches find rows of one key together.</param>
    /// <exception cref="DocumentException">
    /// The file cannot be read, lacks columns, or has broken rows that must not be skipped. It names all errors at once.
    /// </exception>
    public static CsvTable Read(DocumentSpec document, bool byKey = false)
    {
        var path = document.Csv ?? throw new ArgumentException("There is no CSV file.", nameof(document));
        try
        {
            if (RegularFile.WhyUnreadable(path, MaxFileBytes) is { } reason)
                throw new DocumentException(Field, $"{Quote(path)} {reason}");
            return Read(() => Utf8Lines.Open(path), document, byKey);
        }
        catch (DecoderFallbackException e)
        {
            throw new DocumentException(Field, $"{Quote(path)}: {Utf8Lines.WhyInvalid(path)}", e);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new DocumentException(Field, $"there is no file {Quote(path)}", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new DocumentException(Field, $"{Quote(path)} cannot be read: {e.Message}", e);
        }
    }

    /// <param name="open">Opens the text. It is read twice, as the type of a column is known at its end.</param>
    internal static CsvTable Read(Func<TextReader> open, DocumentSpec document, bool byKey = false)
    {
        var table = new CsvTable(document);
        try
        {
            table.Take(open, table.ColumnsOf(open));
        }
        catch (CsvFormatException e)
        {
            throw new DocumentException(Field, $"{Quote(document.Csv!)}: line {e.LineNumber} cannot be read: {e.Message}", e);
        }

        table.Check();
        if (byKey)
            table._rows = [.. table._rows.OrderBy(row => row.Key, StringComparer.Ordinal)];
        DocumentShape.Learn(document, (int)Math.Round(table._rows.Average(row => row.Bytes)), table._usual);
        return table;
    }

    /// <summary>The columns that are taken, the key column first, then the id; with the types of their values.</summary>
    private List<CsvColumn> ColumnsOf(Func<TextReader> open)
    {
        using var text = open();
        using var reader = Reader(text);
        reader.ReadHeader();
        string[] header = [.. reader.Headers];
        if (header.Length == 0)
            throw new DocumentException(Field, $"{Quote(_document.Csv!)} is empty; a header is expected in its first line");
        var errors = new List<ValidationError>();
        var columns = Picked(header, errors);
        var rows = 0;
        for (; reader.Read(); rows++)
            columns.ForEach(column => column.See(reader.GetSpan(column.Index)));
        if (errors.Count == 0)
        {
            _broken.Clear();
            return columns;
        }

        throw new DocumentException(
            BrokenTextBeside(rows) is { } broken ? [.. errors, Error($"{Quote(_document.Csv!)}: {broken}")] : errors);
    }

    private string? BrokenTextBeside(int rows) => _broken.Count == 0
        ? null
        : $"{_broken.Count:#,0} of {_broken.Count + rows:#,0} rows are broken: "
            + $"{string.Join(", ", _broken.Take(MaxNamedRows))}{(_broken.Count > MaxNamedRows ? ", ..." : "")}";

    private List<CsvColumn> Picked(string[] header, List<ValidationError> errors)
    {
        var file = Quote(_document.Csv!);
        errors.AddRange(header.GroupBy(name => name).Where(group => group.Count() > 1).Select(
            group => Error($"{file}: line 1: the header has the column {Quote(group.Key)} twice")));
        var key = IndexOf(_document.KeyColumn ?? IdName, "document.keyColumn");
        var others = _document.Columns is { } picked
            ? picked.Select((column, i) => IndexOf(column, $"document.columns[{i}]"))
            : Enumerable.Range(0, header.Length);
        List<int> indices = [.. others.Prepend(Array.IndexOf(header, IdName)).Prepend(key).Where(index => index >= 0).Distinct()];
        errors.AddRange(indices.Where(index => header[index].Length == 0).Select(
            index => Error($"{file}: line 1: column {index + 1} has no name; name it, or pick others by document.columns")));
        return [.. indices.Select(index => new CsvColumn(index, header[index], index == key, header[index] == IdName))];

        int IndexOf(string column, string path)
        {
            var index = Array.IndexOf(header, column);
            if (index < 0)
                errors.Add(Error(
                    $"{file}: line 1: the header has no column {Quote(column)}; it has {string.Join(", ", header.Take(60))}", path));
            return index;
        }
    }

    private void Take(Func<TextReader> open, List<CsvColumn> columns)
    {
        using var text = open();
        using var reader = Reader(text);
        var (key, id) = (columns[0].Index, columns.Find(column => column.IsId)?.Index);
        var usual = columns.Sum(column => column.Share);
        while (reader.Read())
        {
            if (_rows.Count == MaxRows)
                throw new DocumentException(
                    Field, $"{Quote(_document.Csv!)} has more than {MaxRows} rows, and every worker holds them all");
            var row = new CsvRow(
                reader.GetString(key), id is { } index ? reader.GetString(index) : null, CsvColumn.Join(reader, columns, out var filled));
            if (WhyBroken(row, reader.LineNumber) is { } reason)
                _broken.Add(new BrokenRow(reader.LineNumber, reason));
            else
                Add(row, Math.Abs(filled - usual));
        }

        _broken.Sort((one, other) => one.Line.CompareTo(other.Line));
    }

    /// <summary>The usual row is one whose number of values is nearest to the mean, because what is empty costs less.</summary>
    private void Add(CsvRow row, double distance)
    {
        _rows.Add(row);
        if (distance >= _distance)
            return;
        _distance = distance;
        _usual = Encoding.UTF8.GetBytes($"{{\"id\":\"\"{Encoding.UTF8.GetString(row.Json)}}}");
    }

    private string? WhyBroken(CsvRow row, long line)
    {
        if (string.IsNullOrWhiteSpace(row.Key))
            return "no key";
        if (Encoding.UTF8.GetByteCount(row.Key) > TemplateSize.MaxKey)
            return "a key over 2 KB";
        if (row.Json.Length > MaxRowBytes)
            return $"over {CosmosLimits.MaxMegabytesPerDocument} MB";
        if (row.Id is not { } id)
            return null;
        if (id.Length == 0)
            return "no id";
        if (Encoding.UTF8.GetByteCount(id) > TemplateSize.MaxId)
            return "an id over 1,023 bytes";
        if (id.AsSpan().IndexOfAny("/\\?#") >= 0)
            return "an id with one of / \\ ? #";
        return _ids.TryAdd((row.Key, id), line) ? null : $"the id and the key of line {_ids[(row.Key, id)]} again";
    }

    private CsvReader Reader(TextReader text) => CsvReader.Create(
        text,
        new CsvReaderOptions
        {
            Separator = ',',
            DetectSeparatorHint = false,
            TrackLineNumbers = true,
            MalformedData = CsvMalformedDataHandling.Skip,
            FieldCountMismatch = CsvFieldCountHandling.Skip,
            OnMalformedRecord = record => _broken.Add(new BrokenRow(record.LineNumber, ReasonOf(record.Reason))),
            MaxRecordSize = MaxRecordBytes,
        },
        leaveOpen: true);

    private static string ReasonOf(CsvMalformedReason reason) => reason switch
    {
        CsvMalformedReason.StrayQuote => "a quote within a field",
        CsvMalformedReason.TextAfterClosingQuote => "text after a closing quote",
        CsvMalformedReason.UnterminatedQuote => "a quote that is never closed",
        _ => "another number of columns than the header",
    };

    private void Check()
    {
        var file = Quote(_document.Csv!);
        if (_broken.Count > 0 && _document.OnBrokenRow != BrokenRowRule.Skip)
            throw new DocumentException(Field, $"{file}: {BrokenText} (document.onBrokenRow skip goes on without them)");
        if (_rows.Count == 0)
            throw new DocumentException(Field, $"{file} has no rows{(BrokenText is { } text ? $" that can be used: {text}" : "")}");
        _ids.Clear();
        _ids.TrimExcess();
    }

    private static ValidationError Error(string message, string path = Field) => new(path, message, BeyondSchema: true);

    private static string Quote(string text) => JsonSerializer.Serialize(text, ScaleOutJson.Compact);
}

/// <summary>A column of a CSV file, and what its values are.</summary>
/// <param name="isKey">Whether it is the partition key, which is a text.</param>
internal sealed class CsvColumn(int index, string name, bool isKey, bool isId)
{
    /// <summary>Largest whole number that all smaller ones are exact with, as JSON numbers are doubles in Cosmos DB.</summary>
    private const long MaxWhole = 1L << 53;

    private readonly byte[] _name = Encoding.UTF8.GetBytes($",{JsonSerializer.Serialize(name, ScaleOutJson.Compact)}:");
    private JsonValueKind? _kind = isKey ? JsonValueKind.String : null;
    private long _filled;
    private long _rows;

    public int Index => index;

    /// <summary>Whether it is the documents' id, which is not among the other properties.</summary>
    public bool IsId => isId;

    /// <summary>Share of the rows that have a value in it.</summary>
    public double Share => isId || _rows == 0 ? 0 : _filled / (double)_rows;

    /// <summary>Takes a value into account.</summary>
    public void See(ReadOnlySpan<byte> value)
    {
        _rows++;
        if (value.IsEmpty)
            return;
        _filled++;
        if (_kind != JsonValueKind.String)
            _kind = KindOf(value) is var kind && (_kind ?? kind) == kind ? kind : JsonValueKind.String;
    }

    /// <summary>The properties of the current row, with a comma before the first one, because they follow the id.</summary>
    /// <param name="filled">How many of them are not null.</param>
    public static byte[] Join(CsvReader reader, List<CsvColumn> columns, out int filled)
    {
        using var json = new MemoryStream();
        filled = 0;
        foreach (var column in columns.Where(column => !column.IsId))
        {
            json.Write(column._name);
            var value = reader.GetSpan(column.Index);
            filled += value.IsEmpty ? 0 : 1;
            column.Write(json, value, reader);
        }

        return json.ToArray();
    }

    private void Write(MemoryStream json, ReadOnlySpan<byte> value, CsvReader reader)
    {
        if (_kind == JsonValueKind.String && (isKey || !value.IsEmpty))
            json.Write(JsonSerializer.SerializeToUtf8Bytes(reader.GetString(index), ScaleOutJson.Compact));
        else if (value.IsEmpty)
            json.Write("null"u8);
        else if (_kind == JsonValueKind.Number)
            json.Write(value);
        else
            json.Write(value.Length == "true".Length ? "true"u8 : "false"u8);
    }

    private static JsonValueKind KindOf(ReadOnlySpan<byte> value)
    {
        if (Ascii.EqualsIgnoreCase(value, "true"u8) || Ascii.EqualsIgnoreCase(value, "false"u8))
            return JsonValueKind.True;
        try
        {
            var json = new Utf8JsonReader(value);
            return json.Read() && json.TokenType == JsonTokenType.Number && json.TokenStartIndex == 0 && json.BytesConsumed == value.Length
                && IsExact(ref json) ? JsonValueKind.Number : JsonValueKind.String;
        }
        catch (JsonException)
        {
            // What is no JSON is a text.
            return JsonValueKind.String;
        }
    }

    /// <summary>Whether a double holds the number: a whole one exactly, which may be an id, and another as closely as it can.</summary>
    private static bool IsExact(ref Utf8JsonReader json) => json.ValueSpan.IndexOfAny(".eE"u8) < 0
        ? json.TryGetInt64(out var whole) && whole is >= -MaxWhole and <= MaxWhole
        : json.TryGetDouble(out var number) && double.IsFinite(number);
}

/// <param name="Id">The row's own id; null if the file has none.</param>
/// <param name="Json">The row's other properties, with a comma before the first one, because they follow the id.</param>
internal readonly record struct CsvRow(string Key, string? Id, byte[] Json)
{
    /// <summary>Bytes of the document beside the id and the other properties: <c>{"id":""}</c>.</summary>
    public const int Frame = 9;

    /// <summary>Length of an id that the run makes, a guid.</summary>
    public const int MadeId = 36;

    /// <summary>Size of the document.</summary>
    public int Bytes => Frame + Json.Length + (Id is null ? MadeId : Encoding.UTF8.GetByteCount(Id));
}

/// <param name="Line">Line on which it begins, from 1.</param>
public sealed record BrokenRow(long Line, string Reason)
{
    public override string ToString() => $"line {Line} ({Reason})";
}

/// <summary>
/// The rows of a CSV file: number n is row n modulo their count. A row has its own id the first time; a row without one, and one that
/// repeats, has an id of the run. In a batch each row keeps its key, so the numbers of a batch become one batch per key.
/// </summary>
/// <param name="keyIsId">Whether the partition key is the id instead of the column.</param>
/// <param name="documents">Documents of the run; 0 if that is not known.</param>
internal sealed class CsvDocuments(string runId, CsvTable table, bool keyIsId, long documents) : IDocumentSource
{
    /// <summary>Most bytes of a character with its escape, <c>\u0000</c>.</summary>
    private const int Escaped = 6;

    private readonly DocumentIdentity _ids = new(runId, "id");

    public int MaxBytes { get; } = table.Rows.Max(
        row => CsvRow.Frame + row.Json.Length + Math.Max(CsvRow.MadeId, Escaped * (row.Id?.Length ?? 0)));

    public bool MixesKeysInBatch => true;

    public long? RepeatsAfter => table.Count;

    public IReadOnlyList<string> Warnings =>
    [
        .. table.BrokenText is { } text ? [$"document.csv: {text}; they were skipped."] : Array.Empty<string>(),
        .. documents > table.Count ? [RepeatText(table.Count, documents)] : Array.Empty<string>(),
    ];

    public string IdOf(long number) => OwnIdOf(number) ?? _ids.From(number).ToString();

    public string KeyOf(long number) => keyIsId ? IdOf(number) : RowOf(number).Key;

    public string KeyOfBatch(long batch) => throw new NotSupportedException("Rows keep their own keys.");

    public int Write(long number, string key, Span<byte> buffer)
    {
        var json = new JsonText(buffer);
        json.Raw("{\"id\":\""u8);
        if (OwnIdOf(number) is { } id)
            json.Text(id);
        else
            json.Guid(_ids.From(number));
        json.Raw("\""u8);
        json.Raw(RowOf(number).Json);
        json.Raw("}"u8);
        return json.Length;
    }

    private static string RepeatText(long rows, long documents) =>
        $"document.csv: its {rows:#,0} rows repeat in {documents:#,0} documents; a repeated row has an id of the run.";

    private string? OwnIdOf(long number) => number < table.Count ? RowOf(number).Id : null;

    private CsvRow RowOf(long number) => table.Rows[(int)(number % table.Count)];
}
