using ScaleOut.Simulator.Engine.Queries.Execution;
using ScaleOut.Simulator.Protocol.Batches;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Requests for documents: single operations, batches, queries and the change feed.</summary>
internal static class DocumentRequests
{
    public static ValueTask RunAsync(Exchange exchange, AccountEngine engine, ContainerResource container)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        response.Container = container;
        response.Partition = ResourceLookup.FindPartition(request, container);
        CheckOptions(request, container);
        return request.Operation switch
        {
            OperationType.Create => RunSingleAsync(exchange, engine, OperationKind.Create),
            OperationType.Upsert => RunSingleAsync(exchange, engine, OperationKind.Upsert),
            OperationType.Replace => RunSingleAsync(exchange, engine, OperationKind.Replace),
            OperationType.Patch => RunSingleAsync(exchange, engine, OperationKind.Patch),
            OperationType.Delete => RunSingleAsync(exchange, engine, OperationKind.Delete),
            OperationType.Read or OperationType.Head => RunSingleAsync(exchange, engine, OperationKind.Read),
            OperationType.Batch => RunBatchAsync(exchange, engine),
            OperationType.Query or OperationType.ReadFeed when ChangeFeedRequests.Are(request) =>
                ChangeFeedRequests.RunAsync(exchange, engine),
            OperationType.Query =>
                QueryRequests.RunAsync(exchange, engine, QueryParser.ParseRequest(request.QueryBody, container.Settings.Indexing)),
            OperationType.ReadFeed => QueryRequests.RunAsync(exchange, engine, ParsedQuery.Everything),
            OperationType.QueryPlan => QueryRequests.Plan(exchange, container),
            _ => throw RequestException.MethodNotAllowed(),
        };
    }

    public static ValueTask DeletePartitionKeyAsync(Exchange exchange, AccountEngine engine, ContainerResource container)
    {
        if (exchange.Request.Operation != OperationType.Delete)
            throw RequestException.MethodNotAllowed();
        exchange.Response.Container = container;
        var work = new PartitionKeyDeleteWork
        {
            Container = container,
            PartitionKeyJson = exchange.Request.Bytes(RequestField.PartitionKey),
        };
        return work.TryPrepare() ? RunAsync(exchange, engine, work) : throw RequestException.From(work.Result);
    }

    /// <summary>Runs prepared work and responds with its result.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public static async ValueTask RunAsync(Exchange exchange, AccountEngine engine, DocumentWork work)
    {
        exchange.IsDelayed = true;
        work.Claim = new BudgetClaim(exchange.Request.Has(RequestField.Priority), exchange.Request.Bucket);
        work.Charges = ConsistencyLevels.ChargesOf(exchange.Request, engine, work);
        var responds = await engine.Pipeline.RunAsync(work, exchange.Request.Mode);
        exchange.Delay = work.Delay;
        exchange.Response.ClosesConnection = !responds;
        exchange.Response.Partition = work.Partition;
        exchange.Response.ServiceMs = work.ServiceMs;
        exchange.Response.Set(work.Result, engine.Clock.NowTicks);
    }

    /// <summary>The latest write that the client's session has seen on the partition; 0 for none.</summary>
    public static long ReadSessionLsn(AccountRequest request, PhysicalPartition partition) =>
        SessionTokens.TryRead(request.Bytes(RequestField.SessionToken).Span, partition.Ordinal, out var lsn)
            ? lsn
            : throw RequestException.BadRequest("The session token is malformed.");

    /// <exception cref="RequestException">400: a write asks for something that is not simulated.</exception>
    private static void CheckOptions(AccountRequest request, ContainerResource container)
    {
        if (ScriptRequests.HaveTriggers(request) && request.Operation is not (OperationType.Create or OperationType.Upsert
            or OperationType.Replace or OperationType.Delete))
        {
            throw RequestException.BadRequest("Triggers run only with the creation, upsert, replacement or deletion of one item.");
        }

        IndexingDirectives.Check(request.Indexing, container.Settings);
    }

    private static ValueTask RunSingleAsync(Exchange exchange, AccountEngine engine, OperationKind kind)
    {
        var request = exchange.Request;
        var work = exchange.Single;
        work.Container = exchange.Response.Container!;
        work.Output = exchange.Response.Output;
        var operation = work.Operation;
        operation.Reset();
        operation.Kind = kind;
        operation.PartitionKeyJson = request.Bytes(RequestField.PartitionKey);
        operation.Id = request.Bytes(RequestField.Document);
        operation.Body = request.Body;
        operation.IfMatch = request.Text(RequestField.IfMatch);
        operation.IfNoneMatch = request.Text(RequestField.IfNoneMatch);
        operation.ReturnsBody = kind == OperationKind.Read
            ? request.Operation != OperationType.Head
            : !request.Has(RequestField.MinimalResponse);
        if (!work.TryPrepare())
        {
            exchange.IsDelayed = true;
            exchange.Response.Set(work.Result, engine.Clock.NowTicks);
            exchange.Response.Charge = work.Result.Status == ServiceStatus.TooLarge ? null : RequestUnits.Zero;
            return engine.Pipeline.DelayAsync(request.Mode);
        }

        CheckAddress(exchange, work);
        operation.SessionLsn = ReadSessionLsn(request, operation.Partition!);
        return ScriptRequests.HaveTriggers(request)
            ? ScriptRequests.WriteAsync(exchange, engine, operation)
            : RunAsync(exchange, engine, work);
    }

    private static async ValueTask RunBatchAsync(Exchange exchange, AccountEngine engine)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        if (request.Body.Length > StorageLimits.MaxBytesOfBatch)
            throw new RequestException(ServiceStatus.TooLarge, StorageLimits.IsTooLarge);
        var isAtomic = request.Has(RequestField.BatchAtomic);
        BatchWork work = isAtomic ? exchange.Transaction : exchange.Bulk;
        work.Container = response.Container!;
        work.Output = response.Documents;
        if (BatchReader.Read(request.Body, work) is { } error)
            throw RequestException.BadRequest(error);
        foreach (var operation in work.Operations)
        {
            operation.ReturnsBody &= operation.Kind == OperationKind.Read || !request.Has(RequestField.MinimalResponse);
            if (operation.IndexingDirective is not { } name)
                continue;
            var directive = IndexingDirectives.From(name) ?? throw RequestException.BadRequest(IndexingDirectives.Unknown);
            IndexingDirectives.Check(directive, work.Container.Settings);
        }

        if (isAtomic)
            PrepareTransaction(exchange);
        else
            PrepareBulk(exchange);
        await RunAsync(exchange, engine, work);
        response.IsFailedTransaction = work is TransactionWork { HasFailed: true };
        if (!work.HasOperationResults)
            return;
        response.ItemCount = work.Operations.Length;
        if (JsonBatchReader.IsJson(request.Body.Span))
        {
            JsonBatchWriter.Write(response.Output, work, response.Documents.WrittenSpan);
            return;
        }

        BatchWriter.Write(response.Output, work, response.Documents.WrittenSpan);
        response.ContentType = "application/octet-stream";
    }

    private static void PrepareTransaction(Exchange exchange)
    {
        var work = exchange.Transaction;
        work.PartitionKeyJson = exchange.Request.Bytes(RequestField.PartitionKey);
        if (!work.TryPrepare())
            throw RequestException.From(work.Result);
        CheckAddress(exchange, work);
        work.SessionLsn = ReadSessionLsn(exchange.Request, work.Partition!);
    }

    private static void PrepareBulk(Exchange exchange)
    {
        exchange.Bulk.ContinuesOnError = exchange.Request.Has(RequestField.BatchContinueOnError);
        exchange.Bulk.Range = exchange.Response.Partition;
        foreach (var operation in exchange.Bulk.Operations)
        {
            if (operation.PartitionKeyJson.IsEmpty)
                operation.PartitionKeyJson = exchange.Request.Bytes(RequestField.PartitionKey);
        }

        exchange.Bulk.Prepare();
        foreach (var operation in exchange.Bulk.Operations)
        {
            if (operation is { Kind: OperationKind.Read, Partition: { } partition })
                operation.SessionLsn = ReadSessionLsn(exchange.Request, partition);
        }
    }

    /// <exception cref="RequestException">410: the key is in another partition than the client addressed.</exception>
    public static void CheckAddress(Exchange exchange, DocumentWork work)
    {
        if (exchange.Response.Partition is { } addressed && addressed != work.Partition)
            throw RequestException.Gone("The partition key range does not hold the partition key.", ServiceStatus.CompletingSplit);
    }
}
