using ScaleOut.Simulator.Engine.ChangeFeed;
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

/// <summary>Queries, query plans and the read feed of a container's documents.</summary>
internal static class QueryRequests
{
    public static ValueTask Plan(Exchange exchange, ContainerResource container)
    {
        var query = QueryParser.ParseRequest(exchange.Request.QueryBody, container.Settings.Indexing);
        QueryFeatures.Check(query.Syntax, exchange.Request.Text(RequestField.QueryFeatures));
        // The gateway makes plans itself.
        exchange.Response.Container = null;
        exchange.Response.SetJson(ServiceStatus.Ok, QueryPlan.Create(container, query));
        return ValueTask.CompletedTask;
    }

    /// <summary>The service's error for a limit that no token keeps, such as 0 (azure-cosmos-dotnet-v3 issue 3791).</summary>
    private const string LimitIsTooSmall =
        "The continuation token limit specified is not large enough to serialize the required attributes into the continuation token. "
        + "Please provide a higher limit.";

    private const string IsNotServed =
        "The provided cross partition query can not be directly served by the gateway. This is a first chance (internal) exception that "
        + "all newer clients will know how to handle gracefully. This exception is traced, but unless you see it bubble up as an exception "
        + "(which only happens on older SDK clients), then you can safely ignore this message.";

    private const string CrossPartitionIsOff =
        "Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, specify "
        + "x-ms-documentdb-partitionkey, or revise your query to avoid this exception.";

    public static async ValueTask RunAsync(Exchange exchange, AccountEngine engine, ParsedQuery query)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        if (request.ContinuationLimitKb == 0)
            throw RequestException.OfGateway(LimitIsTooSmall);
        var work = new QueryWork
        {
            Container = response.Container!,
            Output = response.Output,
            Query = query,
            PageSize = PageSize.From(request),
            Scope = ScopeReader.Read(request, response.Container!, response.Partition),
        };
        var token = request.Text(RequestField.Continuation) ?? "";
        var isMalformed = !QueryContinuation.TryParse(token, out var continuation) && token.Length > 0;
        work.Continuation = continuation;
        if (request is { Mode: ConnectionMode.Gateway, Operation: OperationType.Query } && work.Scope == DocumentScope.All)
            CheckCrossPartition(request, response.Container!, query);
        query.CheckOrder();
        CheckFunctions(query, response.Container!);
        if (!work.TryPrepare())
            throw RequestException.From(work.Result);
        // For tokens of queries with a plan, clients expect the plan with the error, so this is checked last.
        if (isMalformed)
            throw RequestException.OfGateway("Invalid Continuation Token");
        work.SessionLsn = DocumentRequests.ReadSessionLsn(request, work.Partition!);
        // The reader of the connection goes on with other requests while functions run.
        if (query.Syntax.UserCalls.Count > 0)
            await Task.Yield();
        await DocumentRequests.RunAsync(exchange, engine, work);
        if (!work.Result.IsSuccess)
            return;
        response.Continuation = work.Next?.ToString();
        if (request.ContinuationLimitKb is { } limit && response.Continuation?.Length > limit * 1024)
        {
            response.Continuation = null;
            response.Fail(RequestException.OfGateway(LimitIsTooSmall), request.Operation);
            return;
        }

        response.ItemCount = work.ItemCount;
        if (request.Operation != OperationType.Query)
            return;
        if (request.Has(RequestField.QueryMetrics))
            response.QueryMetrics = work.Metrics;
        var isNewer = request.Has(RequestField.IndexMetricsV2);
        if (isNewer || request.Has(RequestField.IndexMetrics))
            response.IndexMetrics = IndexMetrics.Create(query, work.Container.Settings.Indexing, isNewer);
    }

    /// <exception cref="RequestException">400: the container lacks a function that the query calls.</exception>
    private static void CheckFunctions(ParsedQuery query, ContainerResource container)
    {
        foreach (var call in query.Syntax.UserCalls)
        {
            if (container.Scripts.Find(ScriptKind.UserDefinedFunction, call.Name) is null)
                throw UserFunctions.NotFound(call.Name);
        }
    }

    /// <summary>
    /// The gateway's rules for a query over all partitions, also where there is only one: the client must ask for it, and only the client
    /// can combine results. The error has the plan, for clients that did not ask for one.
    /// </summary>
    private static void CheckCrossPartition(AccountRequest request, ContainerResource container, ParsedQuery query)
    {
        if (!query.Syntax.ReadsDocuments || query.FixedPartitionKey(container.Settings) is not null)
            return;
        if (!request.Has(RequestField.CrossPartition))
            throw RequestException.OfGateway(CrossPartitionIsOff);
        if (query.Syntax is { IsAggregate: true, Select.Kind: not SelectKind.Value } or { GroupBy.Count: > 0 })
            throw RequestException.OfQuery("Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates.");
        if (!query.IsPlain)
        {
            throw RequestException.OfGateway(
                IsNotServed, ServiceStatus.NeedsPlan, Encoding.UTF8.GetString(ResourceJson.ToBytes(QueryPlan.Create(container, query))));
        }
    }
}

/// <summary>
/// Requests for the change feed: <c>A-IM: Incremental Feed</c> for its mode <c>LatestVersion</c>, <c>Full-Fidelity Feed</c> for its mode
/// <c>AllVersionsAndDeletes</c>, which Direct clients, too, ask of the gateway. A page's ETag is its continuation; a page without documents
/// is a 304.
/// </summary>
internal static class ChangeFeedRequests
{
    private const string LatestVersion = "Incremental Feed";
    private const string AllVersions = "Full-Fidelity Feed";

    /// <summary>The form of all versions in which metadata are an object beside the document.</summary>
    private const string Format = "2021-09-15";

    public static bool Are(AccountRequest request) => request.Has(RequestField.ChangeFeed);

    public static async ValueTask RunAsync(Exchange exchange, AccountEngine engine)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        var work = Read(exchange);
        if (!work.TryPrepare())
            throw RequestException.From(work.Result);
        work.SessionLsn = DocumentRequests.ReadSessionLsn(request, work.Partition!);
        await DocumentRequests.RunAsync(exchange, engine, work);
        if (!work.Result.IsSuccess && work.Result.Status != ServiceStatus.NotModified)
            return;
        response.ItemCount = work.ItemCount;
        response.Etag = ChangeFeedStart.Etag(work.ContinuationLsn);
        if (work.ItemCount == 0)
            response.Output.ResetWrittenCount();
    }

    private static ChangeFeedWork Read(Exchange exchange)
    {
        var request = exchange.Request;
        var response = exchange.Response;
        if (request.Operation != OperationType.ReadFeed)
            throw RequestException.BadRequest("Queries over the change feed are not simulated.");
        var mode = request.Text(RequestField.ChangeFeed)!;
        var hasAllVersions = Is(AllVersions);
        if (!hasAllVersions && !Is(LatestVersion))
            throw RequestException.BadRequest($"The mode of the change feed '{mode}' is neither '{LatestVersion}' nor '{AllVersions}'.");
        if (hasAllVersions && request.Text(RequestField.ChangeFeedFormat) != Format)
            throw RequestException.BadRequest($"All versions and deletes are simulated in the wire format {Format} only.");
        if (hasAllVersions && request.Text(RequestField.IfNoneMatch) is null)
            throw RequestException.BadRequest("All versions and deletes can be read from now on or from a continuation only.");
        if (!ChangeFeedStart.TryParse(
            request.Text(RequestField.IfNoneMatch), request.Text(RequestField.IfModifiedSince), out var start))
        {
            throw RequestException.BadRequest(
                "If-None-Match must be an ETag of the change feed or *, and If-Modified-Since a time as in RFC 1123.");
        }

        return new ChangeFeedWork
        {
            Container = response.Container!,
            Output = response.Output,
            HasAllVersions = hasAllVersions,
            Start = start,
            PageSize = PageSize.From(request),
            Scope = ScopeReader.Read(request, response.Container!, response.Partition),
        };

        bool Is(string name) => mode.Replace('-', ' ').Equals(name.Replace('-', ' '), StringComparison.OrdinalIgnoreCase);
    }
}
