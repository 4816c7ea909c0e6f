using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Primitives;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Protocol;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Decodes HTTP requests and runs them, one behind the other on one connection.</summary>
internal sealed class GatewayExchange(AccountContext account) : Exchange(ConnectionMode.Gateway), IDisposable
{
    private const int KeptBuffer = 256 * 1024;

    private readonly RequestProcessor _processor = new(account);
    private HttpContext _context = null!;
    private SignedPath? _path;
    private byte[] _text = new byte[1024];
    private int _textLength;
    private byte[] _body = new byte[1024];

    public override ReadOnlySpan<ReadOnlyMemory<byte>> SigningPrefixes => _path!.Prefixes;

    /// <summary>Runs a request and writes its response.</summary>
    /// <param name="context">The request.</param>
    /// <param name="resource">What its path names.</param>
    /// <param name="operation">What its method says.</param>
    /// <param name="error">Set for a path or method that is not served, which the client is told once it is authenticated.</param>
    public async Task RunAsync(HttpContext context, ResourceType resource, OperationType operation, RequestException? error = null)
    {
        _context = context;
        Reset();
        Request.Resource = resource;
        Request.Operation = operation;
        Request.Error = error;
        Decode();
        await _processor.ProcessAsync(this).ConfigureAwait(false);
        await GatewayResponse.WriteAsync(context, Response).ConfigureAwait(false);
    }

    /// <summary>Reads the body whole. The server itself rejects more than it is set to.</summary>
    public override async ValueTask ReadBodyAsync()
    {
        PipeReader reader = _context.Request.BodyReader;
        int length = 0;
        try
        {
            while (true)
            {
                ReadResult result = await reader.ReadAsync().ConfigureAwait(false);
                int total = length + (int)result.Buffer.Length;
                if (total > _body.Length)
                    Array.Resize(ref _body, Math.Max(total, _body.Length * 2));
                result.Buffer.CopyTo(_body.AsSpan(length));
                length = total;
                reader.AdvanceTo(result.Buffer.End);
                if (result.IsCompleted || result.IsCanceled)
                    break;
            }
        }
        catch (BadHttpRequestException e)
        {
            throw RequestException.Rejected(e.StatusCode, e.Message);
        }

        Request.Body = _body.AsMemory(0, length);
    }

    public override void Reset()
    {
        base.Reset();
        _textLength = 0;
        if (_body.Length > KeptBuffer)
            _body = new byte[1024];
        if (_text.Length > KeptBuffer)
            _text = new byte[1024];
    }

    public void Dispose() => _processor.Dispose();

    private void Decode()
    {
        HttpRequest request = _context.Request;
        string rawTarget = _context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget;
        string path = "";
        if (Request.Resource == ResourceType.Address)
            path = DecodeAddresses(request.Query);
        else if (Request.Resource == ResourceType.Account)
            Request.Endpoint = $"{request.Scheme}://{request.Host}/";
        if (_path is null || !_path.IsOf(request.Method, rawTarget))
            _path = new SignedPath(request.Method, rawTarget, path.Length > 0 ? path : SignedPath.PathOf(rawTarget));

        RouteValueDictionary names = request.RouteValues;
        Take(RequestField.Database, names["database"] as string);
        Take(RequestField.Container, names["container"] as string);
        Take(RequestField.Document, names["document"] as string);
        foreach (RequestFieldName field in RequestFields.WithHeader)
        {
            if (request.Headers.TryGetValue(field.Header!, out StringValues values) && values.Count > 0)
                Take(field, values[0]!);
        }

        Request.Source = _text;
        if (HttpMethods.IsPost(request.Method))
            Request.Operation = Specify(Request.Operation, request.ContentType);
    }

    private void Take(RequestFieldName name, string value)
    {
        switch (name.Kind)
        {
            case FieldKind.Text:
                Take(name.Field, value);
                break;
            case FieldKind.Flag:
                if (value.Equals("true", StringComparison.OrdinalIgnoreCase) || value == "return=minimal")
                    Request.Set(name.Field);
                break;
            default:
                TakeNumber(name.Field, value);
                break;
        }
    }

    private void TakeNumber(RequestField field, string value)
    {
        if (field == RequestField.Consistency)
        {
            Request.Consistency = ConsistencyLevels.From(value);
            if (Request.Consistency is null)
                Request.Error ??= RequestException.BadRequest($"'{value}' is no consistency level.");
            return;
        }

        bool isSize = int.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int size) && size is -1 or > 0;
        Request.PageSize = size;
        if (!isSize)
            Request.Error ??= RequestException.BadRequest($"The page size '{value}' is neither -1 nor a positive number.");
    }

    private void Take(RequestField field, string? value)
    {
        if (value is null)
            return;
        int most = _textLength + Encoding.UTF8.GetMaxByteCount(value.Length);
        if (most > _text.Length)
            Array.Resize(ref _text, Math.Max(most, _text.Length * 2));
        int length = Encoding.UTF8.GetBytes(value, _text.AsSpan(_textLength));
        Request.Set(field, new TextRange(_textLength, length));
        _textLength += length;
    }

    /// <summary>
    /// Takes what the query of <c>addresses/?$resolveFor=...</c> names: <c>dbs</c> for the partition that holds databases, or a container's
    /// <c>docs</c>.
    /// </summary>
    private string DecodeAddresses(IQueryCollection query)
    {
        string resolveFor = query["$resolveFor"].ToString();
        switch (resolveFor.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            case ["dbs"]:
                break;
            case ["dbs", var database, "colls", var container, "docs"]:
                Take(RequestField.Database, database);
                Take(RequestField.Container, container);
                break;
            default:
                Request.Error ??= RequestException.BadRequest("Addresses are known of dbs and of a container's docs.");
                break;
        }

        Take(RequestField.PartitionKeyRangeId, query["$partitionKeyRangeIds"].ToString());
        return resolveFor;
    }

    /// <summary>What a POST to a feed is, which headers say.</summary>
    private OperationType Specify(OperationType operation, string? contentType)
    {
        bool isQuery = Request.Has(RequestField.IsQuery)
            || contentType?.StartsWith("application/query+json", StringComparison.OrdinalIgnoreCase) == true;
        if (operation == OperationType.None || Request.Resource != ResourceType.Document)
            return isQuery && operation != OperationType.None ? OperationType.Query : operation;
        return Request.Has(RequestField.IsBatch) ? OperationType.Batch
            : Request.Has(RequestField.IsQueryPlan) ? OperationType.QueryPlan
            : isQuery ? OperationType.Query
            : Request.Has(RequestField.IsUpsert) ? OperationType.Upsert
            : operation;
    }
}
