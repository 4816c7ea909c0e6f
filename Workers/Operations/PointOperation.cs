using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>A create or an upsert of one document; with a bulk client the SDK groups them by physical partition.</summary>
internal sealed class PointOperation(OperationContext context, bool upsert) : AccountCall<ResponseMessage>, IWorkloadOperation
{
    private readonly AttemptBuffer _buffer = new(context.Documents.MaxBytes);
    private readonly Func<int, int, AttemptKind> _kindOf = upsert ? ResponseReading.KindOfUpsert : ResponseReading.KindOf;
    private int _length;
    private PartitionKey _key;

    public int Partition { get; private set; }

    public int PartBytes => _length;

    public void Prepare(long first, int count)
    {
        var key = context.Documents.KeyOf(first);
        (_key, Partition) = context.PlaceOf(first, key);
        _length = context.Documents.Write(first, key, _buffer.Bytes);
    }

    public void Dispose() => _buffer.Dispose();

    protected override Task<ResponseMessage> CallAsync()
    {
        var stream = new MemoryStream(_buffer.Bytes, 0, _length, writable: false, publiclyVisible: true);
        return upsert
            ? context.Container.UpsertItemStreamAsync(stream, _key, context.WriteOptions)
            : context.Container.CreateItemStreamAsync(stream, _key, context.WriteOptions);
    }

    protected override AttemptResponse ReadResponse(ResponseMessage response)
    {
        using (response)
            return ResponseReading.From(response, _kindOf);
    }

    protected override AttemptResponse? ReadError(Exception error)
    {
        if (ResponseReading.From(error, _kindOf) is not { } response)
            return null;
        _buffer.Abandon(_length);
        return response;
    }
}
