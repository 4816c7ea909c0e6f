using ScaleOut.Simulator.Engine.Queries.Execution;

namespace ScaleOut.Simulator.Engine.Scripts.Execution;

/// <summary>
/// The operations of one request's scripts on one partition key. The first one takes the partition's lock, which is held until the end, so
/// that no other request sees or changes what they do. A script that asks for nothing keeps nobody waiting.
/// </summary>
internal sealed class ScriptTransaction(DocumentWork work, PhysicalPartition partition, ReadOnlyMemory<byte> keyJson, long nowTicks)
    : IScriptedDocuments, IDisposable
{
    private const int MaxPage = 50_000;

    private const string OtherKey =
        "Requests originating from scripts cannot reference partition keys other than the one for which client request was submitted.";

    private readonly UndoLog _undo = new();

    /// <summary>By the numbers in their resource ids; null until a script names one.</summary>
    private Dictionary<long, DocumentKey>? _keys;
    private bool _isEntered;

    /// <summary>The charge of all operations so far, also if they are rolled back.</summary>
    public RequestUnits Charge { get; private set; } = RequestUnits.Zero;

    /// <exception cref="RequestException">410 or 404: the partition or its container is gone.</exception>
    public void Enter()
    {
        if (_isEntered)
            return;
        partition.Gate.Enter();
        _isEntered = true;
        if (partition.IsSplitting)
            throw RequestException.From(OperationResult.CompletingSplit);
        if (partition.Status == PartitionStatus.Deleted)
            throw RequestException.NotFound(ServiceStatus.OwnerNotFound);
    }

    public ScriptedResult Execute(ScriptedOperation operation)
    {
        Enter();
        try
        {
            return operation.Name is "query" or "feed" ? Read(operation) : Change(operation);
        }
        catch (RequestException e)
        {
            return Error(e.Status, e.Errors);
        }
    }

    /// <summary>Executes a prepared operation. The document that it returns is at the end of the work's output.</summary>
    public OperationResult Run(DocumentOperation operation)
    {
        Enter();
        lock (partition.Gate)
        {
            var result = new OperationExecution(work, partition, operation, _undo, nowTicks).Run_NeedsLock();
            Charge += result.Charge;
            if (_keys is not null && result.IsSuccess && operation.Kind is not (OperationKind.Read or OperationKind.Delete))
                _keys[partition.Store.Record(partition.Store.Find(operation.Facts.Key)).Number] = operation.Facts.Key;
            return result;
        }
    }

    public void Commit()
    {
        if (_isEntered)
            _undo.Commit(partition);
    }

    public void RollBack()
    {
        if (_isEntered)
            _undo.RollBack(partition);
    }

    /// <summary>The document of a key with its system properties; empty if there is none.</summary>
    public ReadOnlyMemory<byte> Find(DocumentKey key)
    {
        Enter();
        var address = partition.Store.Find(key);
        if (address < 0)
            return default;
        var output = new ArrayBufferWriter<byte>();
        DocumentWriter.Write(output, work.Container, in partition.Store.Record(address), partition.Store.Body(address));
        return output.WrittenMemory;
    }

    public void Dispose()
    {
        if (_isEntered)
            partition.Gate.Exit();
    }

    private ScriptedResult Change(ScriptedOperation asked)
    {
        var operation = new DocumentOperation
        {
            Kind = asked.Name switch
            {
                "create" => OperationKind.Create,
                "upsert" => OperationKind.Upsert,
                "replace" => OperationKind.Replace,
                "delete" => OperationKind.Delete,
                _ => OperationKind.Read,
            },
            PartitionKeyJson = keyJson,
            // A resource id stands for the document's key, which is set below.
            Id = Encoding.UTF8.GetBytes(asked.Id ?? asked.Rid ?? ""),
            Body = Encoding.UTF8.GetBytes(asked.Body ?? ""),
            ReturnsBody = true,
        };
        if (operation.Kind == OperationKind.Read)
            operation.IfNoneMatch = asked.Etag;
        else
            operation.IfMatch = asked.Etag;
        if (!OperationPreparer.TryPrepare(work.Container, operation))
            throw RequestException.From(operation.Result);
        if (asked.Rid is { } rid)
            operation.Key = FindKey(rid, operation.Key.PartitionKeyHash);
        var before = work.Output.WrittenCount;
        var result = Run(operation);
        return result.SubStatus == ServiceStatus.PartitionKeyMismatch ? Error(result.Status, RequestException.ErrorsOf(OtherKey))
            : result.Status >= ServiceStatus.BadRequest ? Error(result.Status, result.Errors)
            : new ScriptedResult(result.Status, work.Output.WrittenMemory[before..].ToArray());
    }

    /// <summary>The key of a document by its resource id.</summary>
    /// <exception cref="RequestException">404: the partition key has no such document.</exception>
    private DocumentKey FindKey(string rid, ulong partitionKeyHash)
    {
        _keys ??= ReadKeys(partitionKeyHash);
        // Another document may have the id of one that the script deleted.
        return SystemProperties.NumberOf(rid) is { } number && _keys.TryGetValue(number, out var key)
            && partition.Store.Find(key) is >= 0 and var address && partition.Store.Record(address).Number == number
            ? key : throw RequestException.NotFound();
    }

    private Dictionary<long, DocumentKey> ReadKeys(ulong partitionKeyHash)
    {
        var keys = new Dictionary<long, DocumentKey>();
        var cursor = partition.Store.SeekAfter(0);
        while (partition.Store.TryNext(ref cursor, out var address))
        {
            ref var record = ref partition.Store.Record(address);
            if (record.Key.PartitionKeyHash == partitionKeyHash)
                keys[record.Number] = record.Key;
        }

        return keys;
    }

    private ScriptedResult Read(ScriptedOperation operation)
    {
        var query = operation.Body is { } body
            ? QueryParser.ParseRequest(Encoding.UTF8.GetBytes(body), work.Container.Settings.Indexing)
            : ParsedQuery.Everything;
        if (!QueryContinuation.TryParse(operation.Page.Continuation ?? "", out var continuation) && operation.Page.Continuation is not null)
            throw RequestException.BadRequest("Invalid Continuation Token");
        query.CheckOrder();
        if (!OperationPreparer.TryReadKey(work.Container.Settings.PartitionKey, keyJson, out var key))
            throw RequestException.From(OperationPreparer.InvalidKeyResult(keyJson));
        var output = new ArrayBufferWriter<byte>();
        var page = new QueryWork
        {
            Container = work.Container,
            Output = output,
            Charges = work.Charges,
            Query = query,
            Continuation = continuation,
            PageSize = operation.Page.Size is > 0 and < MaxPage ? operation.Page.Size : MaxPage,
            Scope = new DocumentScope { Partition = partition, Key = key },
            MaxPageTime = operation.TimeLeft,
        };
        if (!page.TryPrepare())
            throw RequestException.From(page.Result);
        var result = page.ReadPage(nowTicks);
        Charge += result.Charge;
        return result.IsSuccess
            ? new ScriptedResult(result.Status, output.WrittenMemory, page.Next?.ToString())
            : Error(result.Status, result.Errors);
    }

    /// <param name="errors">The body, JSON.</param>
    private static ScriptedResult Error(int status, string errors) => new(status, Encoding.UTF8.GetBytes(errors));
}
