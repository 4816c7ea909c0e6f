using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Gateway;

/// <summary>
/// One request and its answer. A connection has one and uses it for all its requests, so that buffers, the HMAC and the parsed path are made once.
/// </summary>
#pragma warning disable CA1001 // The server never says when a connection's exchange is done with; the HMAC's handle is released by its finalizer.
internal sealed class GatewayExchange(AccountEngine account)
#pragma warning restore CA1001
{
    private const int KeptBuffer = 256 * 1024;
    private const int CachedCharges = 4_096;
    private static readonly string?[] ChargeTexts = new string?[CachedCharges];

    private readonly RequestAuthenticator _authenticator = new(account.Key, account.Clock);
    private byte[] _body = new byte[1024];
    private byte[] _partitionKey = new byte[64];
    private IFeatureCollection _features = null!;
    private IHttpRequestFeature _request = null!;
    private IHttpResponseFeature _response = null!;
    private RequestTarget? _target;

    public AccountEngine Account => account;

    public RequestTarget Target => _target!;

    public IHeaderDictionary RequestHeaders => _request.Headers;

    public IHeaderDictionary ResponseHeaders => _response.Headers;

    public ReadOnlyMemory<byte> Body { get; private set; }

    /// <summary>What becomes the answer's body.</summary>
    public ArrayBufferWriter<byte> Output { get; } = new(1024);

    public SingleWork Single => field ??= new SingleWork(Output);

    /// <summary>Documents that bulk operations give back, before they become part of the answer.</summary>
    public ArrayBufferWriter<byte> BulkBodies => field ??= new ArrayBufferWriter<byte>();

    public BulkWork Bulk => field ??= new BulkWork(BulkBodies);

    public string Scheme => _request.Scheme;

    public void Begin(IFeatureCollection features)
    {
        _features = features;
        _request = features.GetRequiredFeature<IHttpRequestFeature>();
        _response = features.GetRequiredFeature<IHttpResponseFeature>();
        string raw = _request.RawTarget;
        if (_target is null || _target.Raw != raw || _target.Method != _request.Method)
            _target = RequestTarget.Parse(_request.Method, raw);
    }

    /// <summary>Lets go of what one request should not keep for the next.</summary>
    public void End()
    {
        Body = default;
        if (_body.Length > KeptBuffer)
            _body = new byte[1024];
        Output.ResetWrittenCount();
    }

    public int Authenticate(out string? fault) =>
        _authenticator.Check(Target.SigningPrefixes, RequestHeaders.Authorization, Header(GatewayHeaders.Date), out fault);

    /// <summary>The header's value, or null.</summary>
    public string? Header(string name) => RequestHeaders.TryGetValue(name, out Microsoft.Extensions.Primitives.StringValues values) && values.Count > 0 ? values[0] : null;

    public bool Flag(string name) => Header(name) is { } value && value.Equals("true", StringComparison.OrdinalIgnoreCase);

    /// <summary>The partition key header as UTF-8; empty when there is none. Good until the next request.</summary>
    public ReadOnlyMemory<byte> PartitionKey()
    {
        if (Header(GatewayHeaders.PartitionKey) is not { } text)
            return default;
        int most = Encoding.UTF8.GetMaxByteCount(text.Length);
        if (most > _partitionKey.Length)
            _partitionKey = new byte[most];
        return _partitionKey.AsMemory(0, Encoding.UTF8.GetBytes(text, _partitionKey));
    }

    /// <summary>Reads the body whole. The server itself turns away more than it is set to.</summary>
    public async ValueTask ReadBodyAsync()
    {
        PipeReader reader = _features.GetRequiredFeature<IRequestBodyPipeFeature>().Reader;
        int length = 0;
        while (true)
        {
            ReadResult result = await reader.ReadAsync().ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = result.Buffer;
            int total = length + (int)buffer.Length;
            if (total > _body.Length)
                Array.Resize(ref _body, Math.Max(total, _body.Length * 2));
            buffer.CopyTo(_body.AsSpan(length));
            length = total;
            reader.AdvanceTo(buffer.End);
            if (result.IsCompleted || result.IsCanceled)
                break;
        }

        Body = _body.AsMemory(0, length);
    }

    public void SetCharge(RequestUnits charge)
    {
        long hundredths = charge.Hundredths;
        ResponseHeaders[GatewayHeaders.Charge] = hundredths < CachedCharges
            ? ChargeTexts[hundredths] ??= charge.Value.ToString(CultureInfo.InvariantCulture)
            : charge.Value.ToString(CultureInfo.InvariantCulture);
    }

    public void SetContainer(ContainerResource container)
    {
        ResponseHeaders[GatewayHeaders.AltContentPath] = container.Link;
        ResponseHeaders[GatewayHeaders.ContentPath] = container.Rid;
    }

    /// <summary>Answers with what stands in the output.</summary>
    public ValueTask WriteAsync(int status, string contentType = "application/json") => WriteAsync(status, Output.WrittenMemory, contentType);

    public ValueTask WriteAsync(int status, ReadOnlyMemory<byte> body, string contentType)
    {
        _response.StatusCode = status;
        IHeaderDictionary headers = ResponseHeaders;
        if (Header(GatewayHeaders.ActivityId) is { } activity && Guid.TryParse(activity, out _))
            headers[GatewayHeaders.ActivityId] = activity;
        if (status is ServiceStatus.NoContent or ServiceStatus.NotModified)
            return ValueTask.CompletedTask;
        headers.ContentLength = body.Length;
        // Without a body the server sends the headers by itself, in one go with the end of the answer.
        if (body.IsEmpty)
            return ValueTask.CompletedTask;
        headers.ContentType = contentType;
        ValueTask<FlushResult> written = _features.GetRequiredFeature<IHttpResponseBodyFeature>().Writer.WriteAsync(body);
        return written.IsCompletedSuccessfully ? ValueTask.CompletedTask : Await(written);

        static async ValueTask Await(ValueTask<FlushResult> written) => await written.ConfigureAwait(false);
    }

    public ValueTask WriteErrorAsync(int status, int subStatus, string? message)
    {
        if (subStatus != 0)
            ResponseHeaders[GatewayHeaders.SubStatus] = subStatus.ToString(CultureInfo.InvariantCulture);
        Output.ResetWrittenCount();
        using (var writer = new Utf8JsonWriter(Output))
        {
            writer.WriteStartObject();
            writer.WriteString("code", ErrorCodes.For(status));
            writer.WriteString("message", message ?? "");
            writer.WriteEndObject();
        }

        return WriteAsync(status);
    }

    /// <summary>Breaks the connection without an answer.</summary>
    public void Abort() => _features.GetRequiredFeature<IHttpRequestLifetimeFeature>().Abort();

    /// <summary>Whether an answer has gone out in part, so that no other can.</summary>
    public bool HasStarted => _response.HasStarted;
}
