namespace ScaleOut.Simulator.Engine.Scripts.Execution;

/// <summary>A write of one document with the triggers that the request names, before it and after it.</summary>
/// <param name="operation">A prepared operation.</param>
internal sealed class TriggeredWork(DocumentOperation operation) : ScriptedWork
{
    private readonly ReadOnlyMemory<byte> _sent = operation.Body;
    private readonly bool _returnsBody = operation.ReturnsBody;

    public ScriptDefinition? Pre { get; init; }

    public ScriptDefinition? Post { get; init; }

    /// <summary>The response's body, JSON; empty for none.</summary>
    public ReadOnlyMemory<byte> Body { get; private set; }

    public override ReadOnlyMemory<byte> PartitionKeyJson => operation.PartitionKeyJson;

    public override OperationKind Kind => operation.Kind;

    public override PhysicalPartition? Partition => operation.Partition;

    protected override long ServedBytes => operation.Body.Length;

    protected override RequestUnits OwnCharge => RequestUnits.Zero;

    public override bool TryReroute() => TryPrepare(_sent);

    protected override OperationResult Run(ScriptTransaction transaction)
    {
        if (Pre is not null && !RunPre(transaction, Pre))
            return operation.Result;
        // The trigger after the operation sees the document, also if the client does not want it back.
        operation.ReturnsBody = true;
        var before = Output.WrittenCount;
        var result = transaction.Run(operation);
        if (!result.IsSuccess)
            return result;
        Body = Output.WrittenMemory[before..].ToArray();
        if (Post is not null)
            RunPost(transaction, Post);
        if (!_returnsBody)
            Body = default;
        return result;
    }

    /// <summary>Returns false if the trigger left a document that cannot be written. The operation's result says why.</summary>
    private bool RunPre(ScriptTransaction transaction, ScriptDefinition trigger)
    {
        var run = CreateRun(transaction, context => context with
        {
            OperationType = $"{Kind}",
            RequestBody = RequestBody(transaction),
            ChangesRequest = Kind != OperationKind.Delete,
        });
        return TryPrepare(run.Run(trigger).Request is { } changed ? Encoding.UTF8.GetBytes(changed) : _sent);
    }

    private void RunPost(ScriptTransaction transaction, ScriptDefinition trigger)
    {
        var run = CreateRun(transaction, context => context with
        {
            OperationType = $"{Kind}",
            RequestBody = operation.Body,
            HasResponse = true,
            ResponseBody = Body,
        });
        if (run.Run(trigger).Response is { } changed)
            Body = Encoding.UTF8.GetBytes(changed);
    }

    /// <summary>What was sent, as it is kept; for a replacement with the document's link, and for a deletion the document.</summary>
    private ReadOnlyMemory<byte> RequestBody(ScriptTransaction transaction)
    {
        if (Kind == OperationKind.Delete)
            return transaction.Find(operation.Key);
        if (operation.InvalidBody is not null)
            return _sent;
        var existing = Kind == OperationKind.Replace ? transaction.Find(operation.Key) : default;
        if (existing.IsEmpty)
            return operation.Facts.Body;
        using var document = JsonDocument.Parse(existing, new JsonDocumentOptions { MaxDepth = IndexEntries.MaxDepth });
        using var sent = JsonDocument.Parse(operation.Facts.Body, new JsonDocumentOptions { MaxDepth = IndexEntries.MaxDepth });
        var body = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(body, DatumJson.Options))
        {
            writer.WriteStartObject();
            writer.WritePropertyName("_self"u8);
            document.RootElement.GetProperty("_self").WriteTo(writer);
            foreach (var property in sent.RootElement.EnumerateObject())
            {
                writer.WritePropertyName(SurrogateText.ReadName(property));
                writer.WriteRawValue(JsonMarshal.GetRawUtf8Value(property.Value), skipInputValidation: true);
            }

            writer.WriteEndObject();
        }

        return body.WrittenMemory;
    }

    private bool TryPrepare(ReadOnlyMemory<byte> body)
    {
        operation.Body = body;
        operation.InvalidBody = null;
        return OperationPreparer.TryPrepare(Container, operation);
    }
}
