namespace ScaleOut.Simulator.Direct;

/// <summary>One request from its frame to its response.</summary>
internal sealed class DirectExchange : Exchange
{
    private const int MinFrame = 2 * 1024;
    private const int MaxKeptFrame = 128 * 1024;

    private readonly DirectConnection _connection;
    private readonly Action _finish;
    private readonly ReadOnlyMemory<byte>[] _signingPrefix = new ReadOnlyMemory<byte>[1];
    private byte[] _signed = new byte[256];
    private byte[] _frame = new byte[MinFrame];
    private ValueTaskAwaiter _processing;

    public DirectExchange(DirectConnection connection)
        : base(ConnectionMode.Direct)
    {
        _connection = connection;
        _finish = () => Finish(synchronous: false);
    }

    public FrameIds Ids;

    /// <summary>Length of the head, the tokens and the body, in bytes.</summary>
    public int FrameBytes { get; private set; }

    /// <summary>The verb, type and link that the request would have over HTTP.</summary>
    public override ReadOnlySpan<ReadOnlyMemory<byte>> SigningPrefixes
    {
        get
        {
            var length = 0;
            Append(Verb(Request.Operation));
            var isProcedure = Request.Resource == ResourceType.StoredProcedure;
            Append(Request.Resource switch
            {
                ResourceType.Database => "dbs\n"u8,
                ResourceType.Container => "colls\n"u8,
                _ => isProcedure ? "sprocs\n"u8 : "docs\n"u8,
            });
            AppendLink("dbs/"u8, RequestField.Database);
            AppendLink("/colls/"u8, RequestField.Container);
            AppendLink(isProcedure ? "/sprocs/"u8 : "/docs/"u8, RequestField.Document);
            Append("\n"u8);
            _signingPrefix[0] = _signed.AsMemory(0, length);
            return _signingPrefix;

            void AppendLink(ReadOnlySpan<byte> type, RequestField name)
            {
                if (Request.Bytes(name).Length == 0)
                    return;
                Append(type);
                Append(Request.Bytes(name).Span);
            }

            void Append(ReadOnlySpan<byte> part)
            {
                if (_signed.Length - length < part.Length)
                    Array.Resize(ref _signed, Math.Max(_signed.Length * 2, length + part.Length));
                part.CopyTo(_signed.AsSpan(length));
                length += part.Length;
            }
        }
    }

    /// <summary>A buffer for a frame. It grows with the bytes that have arrived, not with the announced length.</summary>
    public byte[] Reserve(int filled, int length)
    {
        var size = Math.Min(length, Math.Max(filled * 2, MinFrame));
        if (_frame.Length < size)
            Array.Resize(ref _frame, size);
        return _frame;
    }

    /// <summary>Called when the whole frame has arrived. The body is at its end.</summary>
    public void Complete(int length, int bodyLength)
    {
        FrameBytes = length;
        Request.Source = _frame;
        Request.Body = _frame.AsMemory(length - bodyLength, bodyLength);
    }

    public void Start(RequestProcessor processor) => Await(processor.ProcessAsync(this));

    public override void Reset()
    {
        base.Reset();
        if (_frame.Length > MaxKeptFrame)
            _frame = new byte[MinFrame];
    }

    private void Await(ValueTask processing)
    {
        _processing = processing.GetAwaiter();
        if (_processing.IsCompleted)
            Finish(synchronous: true);
        else
            _processing.UnsafeOnCompleted(_finish);
    }

    private static ReadOnlySpan<byte> Verb(OperationType operation) => operation switch
    {
        OperationType.Read or OperationType.ReadFeed => "get\n"u8,
        OperationType.Replace => "put\n"u8,
        OperationType.Patch => "patch\n"u8,
        OperationType.Delete => "delete\n"u8,
        OperationType.Head or OperationType.HeadFeed => "head\n"u8,
        _ => "post\n"u8,
    };

    private void Finish(bool synchronous)
    {
        try
        {
            _processing.GetResult();
            _connection.Finish(this, synchronous);
        }
        catch (Exception e)
        {
            // An error of one request ends its connection and nothing else.
            _connection.Fail(e);
        }
    }
}
