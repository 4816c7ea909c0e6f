using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct;

/// <summary>Checks the signatures of one connection's requests. What is signed is the verb, type and link that the request would have over HTTP.</summary>
internal sealed class RequestSignature(AccountEngine account) : IDisposable
{
    private readonly RequestAuthenticator _authenticator = new(account.Key, account.Clock);
    private byte[] _text = new byte[512];
    private int _length;

    /// <summary>0 for a request that is genuine, else 401 or 403.</summary>
    public int Check(DirectExchange exchange, out string? fault)
    {
        ref RequestHead head = ref exchange.Head;
        ReadOnlySpan<byte> frame = exchange.Frame.Span;
        Compose(in head, frame);
        return _authenticator.Check(_text.AsSpan(0, _length), head.Authorization.In(frame), head.Date.In(frame), out fault);
    }

    public void Dispose() => _authenticator.Dispose();

    private void Compose(in RequestHead head, ReadOnlySpan<byte> frame)
    {
        _length = 0;
        Append(Verb(head.Operation));
        Append(head.Resource switch
        {
            ResourceTypes.Database => "dbs\n"u8,
            ResourceTypes.Container => "colls\n"u8,
            _ => "docs\n"u8,
        });
        if (!head.Database.IsEmpty)
        {
            Append("dbs/"u8);
            Append(head.Database.In(frame));
        }

        if (!head.Container.IsEmpty)
        {
            Append("/colls/"u8);
            Append(head.Container.In(frame));
        }

        if (!head.Document.IsEmpty)
        {
            Append("/docs/"u8);
            Append(head.Document.In(frame));
        }

        Append("\n"u8);
    }

    private void Append(ReadOnlySpan<byte> part)
    {
        if (_text.Length - _length < part.Length)
            Array.Resize(ref _text, Math.Max(_text.Length * 2, _length + part.Length));
        part.CopyTo(_text.AsSpan(_length));
        _length += part.Length;
    }

    private static ReadOnlySpan<byte> Verb(ushort operation) => operation switch
    {
        OperationTypes.Read or OperationTypes.ReadFeed => "get\n"u8,
        OperationTypes.Replace => "put\n"u8,
        OperationTypes.Delete => "delete\n"u8,
        OperationTypes.Head or OperationTypes.HeadFeed => "head\n"u8,
        _ => "post\n"u8,
    };
}
