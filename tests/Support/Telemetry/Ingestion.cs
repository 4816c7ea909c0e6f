using System.IO.Compression;

namespace ScaleOut.Tests.Support.Telemetry;

/// <summary>An ingestion endpoint of Application Insights on the loopback device that keeps the records it gets.</summary>
internal sealed class Ingestion : IAsyncDisposable
{
    private readonly ConcurrentQueue<string> _lines = new();
    private LoopbackServer? _server;

    /// <summary>All records as they were sent.</summary>
    public string Text => string.Join('\n', _lines);

    public IReadOnlyList<TelemetryRecord> Records => [.. _lines.Select(line => new TelemetryRecord(JsonDocument.Parse(line).RootElement))];

    public string ConnectionString => $"InstrumentationKey=11111111-2222-3333-4444-555555555555;IngestionEndpoint={_server!.Endpoint}";

    public static async Task<Ingestion> StartAsync()
    {
        var ingestion = new Ingestion();
        ingestion._server = await LoopbackServer.StartAsync(ingestion.TakeAsync);
        return ingestion;
    }

    public ValueTask DisposeAsync() => _server!.DisposeAsync();

    private async Task TakeAsync(HttpContext context)
    {
        if (context.Request.Path != "/v2/track")
        {
            context.Response.StatusCode = 404;
            return;
        }

        var isZipped = context.Request.Headers.ContentEncoding == "gzip";
        var body = isZipped ? new GZipStream(context.Request.Body, CompressionMode.Decompress) : context.Request.Body;
        using var reader = new StreamReader(body, Encoding.UTF8);
        var received = 0;
        while (await reader.ReadLineAsync(context.RequestAborted) is { Length: > 0 } line)
        {
            _lines.Enqueue(line);
            received++;
        }

        await context.Response.WriteAsync($$"""{"itemsReceived":{{received}},"itemsAccepted":{{received}},"errors":[]}""");
    }
}
