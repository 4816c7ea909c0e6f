namespace ScaleOut.Simulator.Gateway;

/// <summary>Decodes HTTP requests and runs them, one after the other on one connection.</summary>
internal sealed class GatewayExchange(AccountContext account) : Exchange(ConnectionMode.Gateway), IDisposable
{
    private const int MaxKeptBuffer = 256 * 1024;

    private readonly RequestProcessor _processor = new(account);
    private IFeatureCollection _features = null!;
    private IHttpRequestFeature _request = null!;
    private GatewayRoute? _route;
    private byte[] _text = new byte[1024];
    private int _textLength;
    private byte[] _body = new byte[1024];

    public override ReadOnlySpan<ReadOnlyMemory<byte>> SigningPrefixes => _route!.SigningPrefixes;

    public IFeatureCollection Features => _features;

    public string Method => _request.Method;

    /// <summary>The path and query as received.</summary>
    public string Target => _request.RawTarget;

    public int RemotePort => _features.GetRequiredFeature<IHttpConnectionFeature>().RemotePort;

    public void Begin(IFeatureCollection features)
    {
        _features = features;
        _request = features.GetRequiredFeature<IHttpRequestFeature>();
        Reset();
    }

    /// <summary>Reads the request except its body.</summary>
    public void Decode()
    {
        if (_route?.IsOf(Method, Target) != true)
            _route = new GatewayRoute(Method, Target);
        var headers = _request.Headers;
        if (headers.TryGetValue(GatewayResponse.ActivityId, out var activity) && Guid.TryParse(activity, out _))
            Response.ActivityId = activity.ToString();
        Request.Resource = _route.Resource;
        Request.Operation = _route.Operation;
        Request.Error = _route.Error;
        if (_route.Resource == ResourceType.Account)
            Request.Endpoint = $"{_request.Scheme}://{headers.Host}/";
        Take(RequestField.Database, _route.Database);
        Take(RequestField.Container, _route.Container);
        Take(RequestField.Document, _route.Document);
        Take(RequestField.PartitionKeyRangeId, _route.PartitionKeyRangeId);
        // A request has a dozen headers, and the account knows over forty.
        foreach (var (name, values) in headers)
        {
            if (values.Count > 0 && RequestFields.WithHeader.TryGetValue(name, out var field))
                Take(field, values[0]!);
        }

        Request.Source = _text;
        if (HttpMethods.IsPost(Method))
            Request.Operation = Specify(Request.Operation, headers.ContentType);
    }

    public ValueTask ProcessAsync() => _processor.ProcessAsync(this);

    public ValueTask WriteAsync() => GatewayResponse.WriteAsync(_features, Response);

    /// <summary>Closes the connection without a response.</summary>
    public void Abort() => _features.GetRequiredFeature<IHttpRequestLifetimeFeature>().Abort();

    /// <summary>Reads the whole body. The server itself rejects bodies above its limit.</summary>
    public override async ValueTask ReadBodyAsync()
    {
        var reader = _features.GetRequiredFeature<IRequestBodyPipeFeature>().Reader;
        var length = 0;
        try
        {
            while (true)
            {
                var result = await reader.ReadAsync();
                var total = length + (int)result.Buffer.Length;
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
            throw RequestException.Rejected(e.Message, e.StatusCode);
        }
        catch (IOException e) when (e.InnerException is OverflowException)
        {
            // The size of a chunk is no number that the server can hold.
            throw RequestException.Rejected(e.Message);
        }

        Request.Body = _body.AsMemory(0, length);
    }

    public override void Reset()
    {
        base.Reset();
        _textLength = 0;
        if (_body.Length > MaxKeptBuffer)
            _body = new byte[1024];
        if (_text.Length > MaxKeptBuffer)
            _text = new byte[1024];
    }

    public void Dispose() => _processor.Dispose();

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
        switch (field)
        {
            case RequestField.Consistency:
                Request.SetConsistency(ConsistencyLevels.From(value));
                break;
            case RequestField.Priority:
                if (value.Equals("Low", StringComparison.OrdinalIgnoreCase))
                    Request.Set(field);
                break;
            case RequestField.ThroughputBucket:
                Request.SetBucket(int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var bucket) ? bucket : null);
                break;
            case RequestField.IndexingDirective:
                Request.SetIndexing(IndexingDirectives.From(value));
                break;
            case RequestField.ContinuationLimit:
                Request.ContinuationLimitKb =
                    long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var limit) ? limit : null;
                if (Request.ContinuationLimitKb is null)
                    Request.Error ??= RequestException.BadRequest($"The limit of continuation tokens '{value}' is no number of KB.");
                break;
            default:
                var isInteger = int.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var size);
                Request.PageSize = size;
                if (!isInteger || size < -1)
                    Request.Error ??= RequestException.OfGateway(
                        $"The input PageSize {value} is invalid. Ensure to pass a valid page size which must be a positive integer or -1 "
                        + "for a dynamic page size.");
                break;
        }
    }

    private void Take(RequestField field, string? value)
    {
        if (value is null)
            return;
        var most = _textLength + Encoding.UTF8.GetMaxByteCount(value.Length);
        if (most > _text.Length)
            Array.Resize(ref _text, Math.Max(most, _text.Length * 2));
        var length = Encoding.UTF8.GetBytes(value, _text.AsSpan(_textLength));
        Request.Set(field, new TextRange(_textLength, length));
        _textLength += length;
    }

    /// <summary>The operation of a POST to a feed, by its headers.</summary>
    private OperationType Specify(OperationType operation, string? contentType)
    {
        Request.IsText = Is("application/sql");
        var isQuery = Request.IsText || Request.Has(RequestField.IsQuery) || Is("application/query+json");
        if (operation == OperationType.None || Request.Resource != ResourceType.Document)
            return isQuery && operation is not (OperationType.None or OperationType.Execute) ? OperationType.Query : operation;
        return Request.Has(RequestField.IsBatch) ? OperationType.Batch
            : Request.Has(RequestField.IsQueryPlan) ? OperationType.QueryPlan
            : isQuery ? OperationType.Query
            : Request.Has(RequestField.IsUpsert) ? OperationType.Upsert
            : operation;

        bool Is(string type) => contentType?.StartsWith(type, StringComparison.OrdinalIgnoreCase) == true;
    }
}
