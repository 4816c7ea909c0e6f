namespace ScaleOut.Workers.Documents;

/// <summary>
/// <c>{ id, KeyNumber, SomeText: "blah blah", SomeCount: 100, PartitionKey }</c>: about 155 bytes, id and key guids, <c>KeyNumber</c> the
/// document number. The document of the published test that made one million inserts into one container.
/// </summary>
/// <param name="keyIsId">Whether the partition key is the id, so that every document has its own key.</param>
internal sealed class PerfTestDocuments(string runId, bool keyIsId) : IDocumentSource
{
    private readonly DocumentIdentity _ids = new(runId, "id");
    private readonly DocumentIdentity _keys = new(runId, "key");
    private readonly DocumentIdentity _batchKeys = new(runId, "batch");

    public int MaxBytes => 192;

    public string IdOf(long number) => _ids.From(number).ToString();

    public string KeyOf(long number) => (keyIsId ? _ids : _keys).From(number).ToString();

    public string KeyOfBatch(long batch) => _batchKeys.From(batch).ToString();

    public int Write(long number, string key, Span<byte> buffer)
    {
        var json = new JsonText(buffer);
        json.Raw("{\"id\":\""u8);
        json.Guid(_ids.From(number));
        json.Raw("\",\"KeyNumber\":"u8);
        json.Number(number);
        json.Raw(",\"SomeText\":\"blah blah\",\"SomeCount\":100,\"PartitionKey\":\""u8);
        json.Text(key);
        json.Raw("\"}"u8);
        return json.Length;
    }
}
