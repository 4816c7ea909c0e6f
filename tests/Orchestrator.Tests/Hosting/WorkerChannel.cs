using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;

namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>
/// The stream between a Functions host and one worker, at the host's end: gRPC frames in both directions over one HTTP/2 request.
/// </summary>
internal sealed class WorkerChannel
{
    private const int FrameHeader = 5;

    private readonly Channel<byte[]> _outgoing = Channel.CreateUnbounded<byte[]>();
    private readonly ConcurrentDictionary<string, TaskCompletionSource<JsonObject>> _waiting = new();
    private readonly TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Exception? _end;

    /// <summary>Completes when the worker has opened the stream.</summary>
    public Task Connected => _connected.Task;

    /// <summary>What the worker logged at level Warning and above.</summary>
    public ConcurrentQueue<string> Warnings { get; } = new();

    public void Map(IEndpointRouteBuilder endpoints) => endpoints.MapPost("/AzureFunctionsRpcMessages.FunctionRpc/EventStream", ServeAsync);

    /// <summary>Sends a message and waits for the response with its request id, or with a key of its own.</summary>
    /// <exception cref="IOException">The stream ended before the response came.</exception>
    public async Task<JsonObject> AskAsync(string kind, JsonObject content, string? key = null)
    {
        var requestId = Guid.NewGuid().ToString();
        var response = _waiting.GetOrAdd(
            key ?? requestId, _ => new TaskCompletionSource<JsonObject>(TaskCreationOptions.RunContinuationsAsynchronously));
        _outgoing.Writer.TryWrite(RpcMessages.Write(new JsonObject { ["requestId"] = requestId, [kind] = content }));
        if (_end is not null)
            FailAll();
        return await response.Task;
    }

    private async Task ServeAsync(HttpContext context)
    {
        context.Features.GetRequiredFeature<IHttpMaxRequestBodySizeFeature>().MaxRequestBodySize = null;
        context.Response.ContentType = "application/grpc";
        context.Response.DeclareTrailer("grpc-status");
        await context.Response.StartAsync();
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted);
        var sending = SendAsync(context.Response.BodyWriter, ending.Token);
        var receiving = ReceiveAsync(context.Request.BodyReader, ending.Token);
        await (await Task.WhenAny(sending, receiving)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _outgoing.Writer.TryComplete();
        await ending.CancelAsync();
        await Task.WhenAll(sending, receiving).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _end = new IOException("The stream to the worker ended.", receiving.Exception ?? sending.Exception);
        FailAll();
        context.Response.AppendTrailer("grpc-status", "0");
    }

    private async Task SendAsync(PipeWriter writer, CancellationToken cancellationToken)
    {
        await foreach (var message in _outgoing.Reader.ReadAllAsync(cancellationToken))
        {
            var header = writer.GetSpan(FrameHeader);
            header[0] = 0;
            BinaryPrimitives.WriteInt32BigEndian(header[1..], message.Length);
            writer.Advance(FrameHeader);
            writer.Write(message);
            await writer.FlushAsync(cancellationToken);
        }
    }

    private async Task ReceiveAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        while (true)
        {
            var result = await reader.ReadAsync(cancellationToken);
            var buffer = result.Buffer;
            while (TryReadFrame(ref buffer, out var message))
                Take(RpcMessages.Read(message));
            reader.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted)
                return;
        }
    }

    private static bool TryReadFrame(ref ReadOnlySequence<byte> buffer, out byte[] message)
    {
        message = [];
        if (buffer.Length < FrameHeader)
            return false;
        Span<byte> header = stackalloc byte[FrameHeader];
        buffer.Slice(0, FrameHeader).CopyTo(header);
        var length = BinaryPrimitives.ReadInt32BigEndian(header[1..]);
        if (buffer.Length < FrameHeader + length)
            return false;
        message = buffer.Slice(FrameHeader, length).ToArray();
        buffer = buffer.Slice(FrameHeader + length);
        return true;
    }

    private void Take(JsonObject message)
    {
        var content = message[RpcMessages.KindOf(message)]!.AsObject();
        switch (RpcMessages.KindOf(message))
        {
            case "startStream":
                _connected.TrySetResult();
                break;
            case "rpcLog" when (string?)content["level"] is "Warning" or "Error" or "Critical":
                Warnings.Enqueue($"{content["category"]}: {content["message"]} {content["exception"]?["message"]}");
                break;
            case "invocationResponse":
                Complete((string)content["invocationId"]!, content);
                break;
            case "functionLoadResponse":
                Complete($"load:{content["functionId"]}", content);
                break;
            default:
                Complete((string?)message["requestId"] ?? "", content);
                break;
        }
    }

    private void Complete(string key, JsonObject content)
    {
        if (_waiting.TryRemove(key, out var waiting))
            waiting.TrySetResult(content);
    }

    private void FailAll()
    {
        foreach (var waiting in _waiting.Values)
            waiting.TrySetException(_end!);
    }
}
