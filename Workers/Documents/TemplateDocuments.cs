namespace ScaleOut.Workers.Documents;

/// <summary>Documents from a JSON template. A placeholder's value is a function of (run, document number, place in the template).</summary>
internal sealed class TemplateDocuments : IDocumentSource
{
    private const int MaxEscape = 6;

    private readonly DocumentIdentity _keys;
    private readonly DocumentIdentity _batchKeys;
    private readonly PlaceholderValues _document;
    private readonly Dictionary<string, PlaceholderValues> _texts;
    private readonly PlaceholderValues _id;
    private readonly PlaceholderValues? _key;

    /// <param name="keyProperty">The property that is the partition key.</param>
    /// <exception cref="ArgumentException">The template has no text of that name at its top level.</exception>
    public TemplateDocuments(string runId, string template, string keyProperty)
    {
        var compiled = DocumentTemplate.Compile(template);
        if (!compiled.Texts.TryGetValue(keyProperty, out var key))
            throw new ArgumentException($"The template has no text '{keyProperty}'.", nameof(keyProperty));
        _keys = new(runId, "key");
        _batchKeys = new(runId, "batch");
        _document = new PlaceholderValues(runId, compiled.Parts);
        _texts = compiled.Texts.ToDictionary(text => text.Key, text => new PlaceholderValues(runId, text.Value), StringComparer.Ordinal);
        _id = _texts["id"];
        // If the text is the key's placeholder alone, the key has no other parts to evaluate.
        _key = key is [{ Kind: PlaceholderKind.Key }] ? null : _texts[keyProperty];
        var longestId = compiled.Texts["id"].Sum(TemplateSize.Most) * MaxEscape;
        MaxBytes = compiled.Parts.Sum(part => part.Kind == PlaceholderKind.Id ? longestId : TemplateSize.Most(part));
    }

    public int MaxBytes { get; }

    public string IdOf(long number) => _id.From(number, id: "", key: "");

    public string KeyOf(long number)
    {
        var guid = _keys.From(number).ToString();
        return _key?.From(number, IdOf(number), guid) ?? guid;
    }

    public string KeyOfBatch(long batch) => _batchKeys.From(batch).ToString();

    public string? TextOf(string property, long number, string key) =>
        _texts.TryGetValue(property, out var text) ? text.From(number, IdOf(number), PlaceholderFor(number, key)) : null;

    public int Write(long number, string key, Span<byte> buffer)
    {
        var json = new JsonText(buffer);
        _document.Write(ref json, number, IdOf(number), PlaceholderFor(number, key));
        return json.Length;
    }

    /// <summary>What <c>{{key}}</c> stands for in a document that is written with a key.</summary>
    private string PlaceholderFor(long number, string key) => _key is null ? key : _keys.From(number).ToString();
}
