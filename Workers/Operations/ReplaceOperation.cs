using System.Text.Json.Nodes;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// A read and then a replace by id and partition key, each of them an attempt. The replace sets one property of what was read, always to
/// the same value, so that it may be repeated. If it must match the ETag and somebody has changed the document (412), the document is read
/// again.
/// </summary>
internal sealed class ReplaceOperation(OperationContext context, bool matchesEtag)
    : AccountCall<ResponseMessage>, IWorkloadOperation
{
    private static readonly string Property = WorkloadSpec.ReplacedPath[1..];

    /// <summary>Properties that the service adds to a document, and ignores in requests.</summary>
    private static readonly string[] SystemProperties = ["_rid", "_self", "_etag", "_attachments", "_ts"];

    private string _id = "";
    private PartitionKey _key;
    private byte[]? _changed;
    private string? _etag;

    public int Partition { get; private set; }

    public int PartBytes => _changed?.Length ?? 0;

    public void Prepare(long first, int count)
    {
        (_id, _key, Partition) = context.ExistingOf(first);
        _changed = null;
    }

    public void Dispose()
    {
    }

    protected override Task<ResponseMessage> CallAsync()
    {
        if (_changed is null)
            return context.Container.ReadItemStreamAsync(_id, _key);
        var options = new ItemRequestOptions
        {
            EnableContentResponseOnWrite = context.ContentResponseOnWrite, IfMatchEtag = matchesEtag ? _etag : null,
        };
        return context.Container.ReplaceItemStreamAsync(new MemoryStream(_changed, writable: false), _id, _key, options);
    }

    protected override AttemptResponse ReadResponse(ResponseMessage response)
    {
        using (response)
            return _changed is null ? ReadDocument(response) : ReadReplacement(response);
    }

    protected override AttemptResponse? ReadError(Exception error) => ResponseReading.From(error, ResponseReading.KindOfReplace);

    private AttemptResponse ReadDocument(ResponseMessage response)
    {
        var reading = ResponseReading.From(response, ResponseReading.KindOfRead);
        if (reading.Kind != AttemptKind.Succeeded)
            return reading;
        (_changed, _etag) = (Change(response.Content), response.Headers.ETag);
        return reading with { Kind = AttemptKind.Continued };
    }

    private AttemptResponse ReadReplacement(ResponseMessage response)
    {
        var replacing = ResponseReading.From(response, ResponseReading.KindOfReplace);
        if (replacing.Status == (int)HttpStatusCode.PreconditionFailed)
            _changed = null;
        return replacing;
    }

    private static byte[] Change(Stream content)
    {
        var document = JsonNode.Parse(content)!.AsObject();
        foreach (var name in SystemProperties)
            document.Remove(name);
        document[Property] = true;
        return JsonSerializer.SerializeToUtf8Bytes(document, ScaleOutJson.Compact);
    }
}
