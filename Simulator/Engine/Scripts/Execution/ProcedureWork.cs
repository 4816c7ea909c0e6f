namespace ScaleOut.Simulator.Engine.Scripts.Execution;

/// <summary>A run of a stored procedure on one partition key. It counts as a batch.</summary>
/// <param name="partitionKeyJson">UTF-8 of a JSON array with the key's values.</param>
internal sealed class ProcedureWork(ReadOnlyMemory<byte> partitionKeyJson) : ScriptedWork
{
    private const int MaxResponseBytes = 4 * 1024 * 1024;

    private PhysicalPartition? _partition;

    public required ScriptDefinition Procedure { get; init; }

    /// <summary>UTF-8 of a JSON array; empty for none.</summary>
    public required ReadOnlyMemory<byte> Parameters { get; init; }

    /// <summary>Whether the client wants the log.</summary>
    public bool Logs { get; init; }

    public string EscapedLog { get; private set; } = "";

    /// <summary>The response's body, JSON.</summary>
    public string Body { get; private set; } = "";

    public override ReadOnlyMemory<byte> PartitionKeyJson => partitionKeyJson;

    public override OperationKind Kind => OperationKind.Batch;

    public override PhysicalPartition? Partition => _partition;

    protected override long ServedBytes => Body.Length;

    protected override RequestUnits OwnCharge => RequestCharges.Procedure;

    /// <summary>Returns false if the request is invalid. The result then holds the error.</summary>
    public bool TryPrepare()
    {
        Result = default;
        _partition = null;
        if (!OperationPreparer.TryReadKey(Container.Settings.PartitionKey, partitionKeyJson, out var key))
            return FailToPrepare(OperationPreparer.InvalidKeyResult(partitionKeyJson));
        _partition = Container.Map.Find(key.Position);
        return true;
    }

    public override bool TryReroute() => TryPrepare();

    protected override OperationResult Run(ScriptTransaction transaction)
    {
        var run = CreateRun(transaction, context => context with
        {
            Parameters = Parameters,
            RequestBody = Parameters,
            HasResponse = true,
            ResponseBody = "\"\""u8.ToArray(),
            Logs = Logs,
        });
        try
        {
            Body = run.Run(Procedure).Value;
        }
        finally
        {
            EscapedLog = run.EscapedLog;
        }

        return Encoding.UTF8.GetByteCount(Body) <= MaxResponseBytes
            ? new OperationResult { Status = ServiceStatus.Ok }
            : throw new RequestException(
                ServiceStatus.TooLarge, "Response size is too large: a stored procedure may return 4 MB.");
    }
}
