using ScaleOut.Simulator.Engine.Scripts.Execution;

namespace ScaleOut.Simulator.Protocol;

/// <summary>The names that a kind of scripts has in the protocol.</summary>
/// <param name="Path">In paths and in <c>_self</c>.</param>
/// <param name="List">The property that has the scripts in the response to a list.</param>
internal sealed record ScriptFeed(ScriptKind Kind, ResourceType Resource, string Path, string List)
{
    private static readonly ScriptFeed[] All =
    [
        new(ScriptKind.StoredProcedure, ResourceType.StoredProcedure, "sprocs", "StoredProcedures"),
        new(ScriptKind.Trigger, ResourceType.Trigger, "triggers", "Triggers"),
        new(ScriptKind.UserDefinedFunction, ResourceType.UserDefinedFunction, "udfs", "UserDefinedFunctions"),
    ];

    public static ScriptFeed Of(ScriptKind kind) => All.First(one => one.Kind == kind);

    /// <summary>Null for another resource.</summary>
    public static ScriptFeed? Of(ResourceType resource) => All.FirstOrDefault(one => one.Resource == resource);

    /// <summary>Null for another path.</summary>
    public static ScriptFeed? Of(string path) => All.FirstOrDefault(one => one.Path == path);
}

/// <summary>Requests for stored procedures, triggers and user-defined functions.</summary>
internal static class ScriptRequests
{
    /// <summary>The service's own procedure that every container has, by which clients try whether it runs scripts.</summary>
    private static readonly ScriptDefinition Echo = new(
        ScriptKind.StoredProcedure, "__.sys.echo", "function(input) { getContext().getResponse().setBody(input); }", 0, 0, 0);

    private static readonly string[] TriggerTypes = ["Pre", "Post"];
    private static readonly string[] TriggerOperations = ["All", "Create", "Replace", "Upsert", "Delete", "Update"];

    public static void Respond(Exchange exchange, ScriptFeed feed, ContainerResource container, AccountClock clock)
    {
        (var request, var response) = (exchange.Request, exchange.Response);
        response.Container = container;
        // Scripts are in every partition; the headers tell of the first one.
        response.Partition = container.Map.Live[0];
        var ifUnchanged = request.Text(RequestField.IfMatch) is not (null or "*");
        switch (request.Operation)
        {
            case OperationType.ReadFeed or OperationType.Query:
                MetadataRequests.RespondFeed(
                    exchange, container.Rid, feed.List,
                    container.Scripts.Of(feed.Kind).Select(one => ((long)one.Number, ResourceJson.From(container, one))));
                break;
            case OperationType.Create:
                RespondOne(ServiceStatus.Created, container.Scripts.Create(number => Read(number, number)));
                break;
            case OperationType.Read:
                RespondOne(ServiceStatus.Ok, Find(exchange, feed, container));
                break;
            case OperationType.Replace:
                var former = Find(exchange, feed, container);
                RespondOne(ServiceStatus.Ok, container.Scripts.Replace(former, ifUnchanged, revision => Read(former.Number, revision)));
                break;
            case OperationType.Delete:
                container.Scripts.Delete(Find(exchange, feed, container), ifUnchanged);
                MetadataRequests.RespondDeleted(exchange);
                break;
            default:
                throw RequestException.MethodNotAllowed();
        }

        ScriptDefinition Read(uint number, uint revision) =>
            ReadDefinition(request.Body, feed.Kind, number, revision, AccountClock.UnixSecond(clock.NowTicks));

        void RespondOne(int status, ScriptDefinition script)
        {
            MetadataRequests.RespondOne(
                exchange, status, ResourceJson.EtagOf(container, script), ResourceJson.From(container, script));
            // As recorded; creating a database or container costs less.
            response.Charge = request.IsWrite ? RequestCharges.MetadataWrite : RequestCharges.MetadataRead;
        }
    }

    /// <summary>Runs a stored procedure.</summary>
    public static async ValueTask ExecuteAsync(Exchange exchange, AccountEngine engine, ContainerResource container)
    {
        // The reader of the connection goes on with other requests in the meantime.
        await Task.Yield();
        (var request, var response) = (exchange.Request, exchange.Response);
        response.Container = container;
        response.Partition = ResourceLookup.FindPartition(request, container);
        var isEcho = request.Text(RequestField.Document) == Echo.Name;
        var work = new ProcedureWork(request.Bytes(RequestField.PartitionKey))
        {
            Container = container,
            Procedure = isEcho ? Echo : Find(exchange, ScriptFeed.Of(ScriptKind.StoredProcedure), container),
            Parameters = request.Body,
            Logs = request.Has(RequestField.ScriptLog),
            Output = response.Documents,
        };
        if (!work.TryPrepare())
            throw RequestException.From(work.Result);
        DocumentRequests.CheckAddress(exchange, work);
        await DocumentRequests.RunAsync(exchange, engine, work);
        if (work.Logs)
            response.ScriptLog = work.EscapedLog;
        if (work.Result.IsSuccess)
            response.Output.Write(Encoding.UTF8.GetBytes(work.Body));
    }

    public static bool HaveTriggers(AccountRequest request) =>
        request.Bytes(RequestField.PreTriggers).Length > 0 || request.Bytes(RequestField.PostTriggers).Length > 0;

    /// <summary>Executes a prepared write with the triggers that the request names.</summary>
    public static async ValueTask WriteAsync(Exchange exchange, AccountEngine engine, DocumentOperation operation)
    {
        await Task.Yield();
        var response = exchange.Response;
        var work = new TriggeredWork(operation)
        {
            Container = response.Container!,
            Output = response.Documents,
            Pre = FindTrigger(exchange, RequestField.PreTriggers, "Pre", operation.Kind),
            Post = FindTrigger(exchange, RequestField.PostTriggers, "Post", operation.Kind),
        };
        await DocumentRequests.RunAsync(exchange, engine, work);
        if (work.Result.IsSuccess)
            response.Output.Write(work.Body.Span);
    }

    /// <summary>The trigger that a field of the request names; null for none.</summary>
    /// <exception cref="RequestException">400: it names several, or one that does not run there.</exception>
    private static ScriptDefinition? FindTrigger(Exchange exchange, RequestField field, string type, OperationKind kind)
    {
        var names = exchange.Request.Text(field)?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [];
        if (names.Length == 0)
            return null;
        var trigger = exchange.Response.Container!.Scripts.Find(ScriptKind.Trigger, names[0]);
        // A replacement is also called an update.
        var runs = trigger?.TriggerOperation == "Update" ? nameof(OperationKind.Replace) : trigger?.TriggerOperation;
        var error = names.Length > 1 ? $"Only one {type}-trigger can run with a request, which names {names.Length}."
            : trigger is null ? $"The container has no trigger '{names[0]}'."
            : trigger.TriggerType != type ? $"The trigger '{names[0]}' is no {type}-trigger."
            : runs != "All" && runs != $"{kind}" ? $"The trigger '{names[0]}' runs with {trigger.TriggerOperation}, not with {kind}."
            : null;
        return error is null ? trigger : throw RequestException.BadRequest(error);
    }

    /// <summary>The script that the request names, by its name or its resource id.</summary>
    /// <exception cref="RequestException">404: there is none; 412: it has another ETag than a change expects.</exception>
    private static ScriptDefinition Find(Exchange exchange, ScriptFeed feed, ContainerResource container)
    {
        var name = exchange.Request.Text(RequestField.Document)!;
        var script = container.Scripts.Find(feed.Kind, name)
            ?? container.Scripts.Of(feed.Kind).FirstOrDefault(one => RidEncoding.Script(container.RidBytes, one) == name)
            ?? throw RequestException.NotFound();
        return exchange.Request.Text(RequestField.IfMatch) is { } etag and not "*" && etag != ResourceJson.EtagOf(container, script)
            ? throw new RequestException(ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage)
            : script;
    }

    private static ScriptDefinition ReadDefinition(
        ReadOnlyMemory<byte> json, ScriptKind kind, uint number, uint revision, long timestampSeconds) =>
        RequestException.ReadJson(json, ResourceCatalog.InvalidPayload, root =>
        {
            var name = ResourceCatalog.ReadName(root);
            string[] required = kind == ScriptKind.Trigger ? ["body", "triggerType", "triggerOperation"] : ["body"];
            var missing = string.Concat(required
                .Where(property => ContainerPolicies.Member(root, property).ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
                .Select(property => $"{property}; "));
            if (missing.Length > 0)
                throw RequestException.BadRequest(
                    $"The input content is invalid because the required properties - '{missing}' - are missing");
            return new ScriptDefinition(kind, name, root.GetProperty("body").GetString()!, number, revision, timestampSeconds)
            {
                TriggerType = ReadOneOf("triggerType", TriggerTypes),
                TriggerOperation = ReadOneOf("triggerOperation", TriggerOperations),
            };

            string? ReadOneOf(string property, string[] known) =>
                kind != ScriptKind.Trigger ? null
                : known.FirstOrDefault(one => one.Equals(root.GetProperty(property).GetString(), StringComparison.OrdinalIgnoreCase))
                    ?? throw RequestException.BadRequest($"The {property} is none of {string.Join(", ", known)}.");
        });
}
