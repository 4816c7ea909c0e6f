using Jint;
using Jint.Native;
using Jint.Native.Object;

namespace ScaleOut.Simulator.Engine.Scripts;

/// <summary>What a stored procedure or trigger knows of its request. Bodies are JSON.</summary>
internal sealed record ScriptContext
{
    /// <summary>The container's path by resource ids.</summary>
    public required string SelfLink { get; init; }

    /// <summary>The container's path by names.</summary>
    public required string AltLink { get; init; }

    /// <summary>The arguments of a stored procedure: an array, or an object with a length; empty for none.</summary>
    public ReadOnlyMemory<byte> Parameters { get; init; }

    /// <summary>What a trigger reads as the request's body; empty for none.</summary>
    public ReadOnlyMemory<byte> RequestBody { get; init; }

    public bool ChangesRequest { get; init; }

    public string OperationType { get; init; } = "";

    /// <summary>Whether there is a response already, whose body is <see cref="ResponseBody"/>.</summary>
    public bool HasResponse { get; init; }

    public ReadOnlyMemory<byte> ResponseBody { get; init; }

    /// <summary>Storage that the partition uses, and may use.</summary>
    public required (string Usage, string Quota) Storage { get; init; }

    /// <summary>Whether the container's policy indexes documents.</summary>
    public required bool IsIndexed { get; init; }

    public bool Logs { get; init; }
}

/// <summary>An operation that a script asks of its container.</summary>
/// <param name="Name">create, upsert, replace, read, delete, query or feed.</param>
/// <param name="Rid">The document's resource id; null if its id names it, or nothing does.</param>
/// <param name="Etag">The document must have this ETag, or another one for a read; null without a condition.</param>
/// <param name="Page">The largest number of documents, which the account chooses if it is not positive, and where the page begins.</param>
internal sealed record ScriptedOperation(
    string Name, string? Id, string? Rid, string? Body, string? Etag, (int Size, string? Continuation) Page)
{
    /// <summary>The time that the script has left.</summary>
    public required TimeSpan TimeLeft { get; init; }
}

/// <param name="Json">The document, the page, or the error as the service writes it; empty for none.</param>
internal readonly record struct ScriptedResult(int Status, ReadOnlyMemory<byte> Json, string? Continuation = null);

/// <summary>The documents that a script reads and writes.</summary>
internal interface IScriptedDocuments
{
    /// <exception cref="RequestException">The whole request cannot be done here or now.</exception>
    ScriptedResult Execute(ScriptedOperation operation);
}

/// <summary>What a script leaves behind. Bodies are JSON.</summary>
/// <param name="Value">The response's body, in which a text is a JSON string.</param>
/// <param name="Response">The response's body, in which a text is JSON already; null if the script did not change it.</param>
/// <param name="Request">The request's body, likewise.</param>
internal sealed record ScriptOutcome(string Value, string? Response, string? Request);

/// <summary>Runs a stored procedure or trigger, then the operations that it queued, each with its callback.</summary>
internal sealed class ScriptRun(ScriptContext context, IScriptedDocuments documents, ScriptLimits limits)
{
    /// <summary>Characters of the log, and of its form in a header.</summary>
    private const int MaxLog = 4 * 1024;
    private const int MaxEscapedLog = 8 * 1024;

    private readonly StringBuilder _log = new();

    /// <summary>What the script wrote, escaped for a header, down to the last character that fits whole.</summary>
    public string EscapedLog
    {
        get
        {
            var escaped = new StringBuilder();
            foreach (var rune in _log.ToString().EnumerateRunes())
            {
                var one = Uri.EscapeDataString(rune.ToString());
                if (escaped.Length + one.Length > MaxEscapedLog)
                    break;
                escaped.Append(one);
            }

            return escaped.ToString();
        }
    }

    /// <exception cref="RequestException">400: the script threw an exception, or took too much memory. 408: it took too long.</exception>
    public ScriptOutcome Run(ScriptDefinition script)
    {
        using var engine = new ScriptEngine(limits);
        var entry = engine.Load(script);
        var functions = engine.SetUp(CreateHost(engine), CreateGiven(engine));
        engine.Call(functions.Get("start"), entry);
        while (engine.Call(functions.Get("isWaiting")).AsBoolean())
            engine.Call(functions.Get("proceed"));
        var end = engine.Call(functions.Get("end")).AsObject();
        return new ScriptOutcome(TextOf(end, "value") ?? "\"\"", TextOf(end, "response"), TextOf(end, "request"));
    }

    private ObjectInstance CreateHost(ScriptEngine engine) => engine.CreateObject(
        ("accepts", engine.CreateFunction(_ => engine.Budget.Accepts)),
        ("newId", engine.CreateFunction(_ => Guid.NewGuid().ToString())),
        ("log", engine.CreateFunction(arguments => AddToLog(arguments[0].AsString()))),
        ("execute", engine.CreateFunction(arguments => Execute(engine, arguments[0].AsObject()))));

    private ObjectInstance CreateGiven(ScriptEngine engine) => engine.CreateObject(
        ("selfLink", context.SelfLink), ("altLink", context.AltLink), ("parameters", Parse(engine, context.Parameters)),
        ("requestBody", Parse(engine, context.RequestBody)), ("changesRequest", context.ChangesRequest),
        ("operationType", context.OperationType), ("hasResponse", context.HasResponse),
        ("responseBody", Parse(engine, context.ResponseBody)), ("usage", context.Storage.Usage), ("quota", context.Storage.Quota),
        ("isIndexed", context.IsIndexed));

    private ObjectInstance Execute(ScriptEngine engine, ObjectInstance operation)
    {
        var size = operation.Get("pageSize");
        var asked = new ScriptedOperation(
            operation.Get("name").AsString(), TextOf(operation, "id"), TextOf(operation, "rid"), TextOf(operation, "body"),
            TextOf(operation, "etag"), (size.IsNumber() ? (int)size.AsNumber() : 0, TextOf(operation, "continuation")))
        {
            TimeLeft = engine.Budget.TimeLeft,
        };
        var result = engine.Budget.Exempt(() => documents.Execute(asked));
        var isError = result.Status >= ServiceStatus.BadRequest;
        return engine.CreateObject(
            ("status", result.Status),
            ("message", isError ? Encoding.UTF8.GetString(result.Json.Span) : ""),
            ("body", isError ? JsValue.Undefined : Parse(engine, result.Json)),
            ("continuation", result.Continuation ?? JsValue.Undefined));
    }

    private JsValue AddToLog(string text)
    {
        if (context.Logs)
            _log.Append(text.AsSpan(0, Math.Min(text.Length, MaxLog - _log.Length)));
        return JsValue.Undefined;
    }

    private static JsValue Parse(ScriptEngine engine, ReadOnlyMemory<byte> json) =>
        json.IsEmpty ? JsValue.Undefined : engine.Parse(json.Span);

    private static string? TextOf(ObjectInstance owner, string property) =>
        owner.Get(property) is var value && value.IsString() ? value.AsString() : null;
}
