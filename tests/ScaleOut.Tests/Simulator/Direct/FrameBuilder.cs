using ScaleOut.Simulator.Direct;

namespace ScaleOut.Tests.Simulator.Direct;

/// <summary>Ids of the tokens that frames of the tests carry, as the protocol numbers them.</summary>
internal static class RequestTokens
{
    public const ushort Authorization = 0x01;
    public const ushort PayloadPresent = 0x02;
    public const ushort Date = 0x03;
    public const ushort SessionToken = 0x05;
    public const ushort Continuation = 0x06;
    public const ushort ReplicaPath = 0x13;
    public const ushort Database = 0x15;
    public const ushort Container = 0x16;
    public const ushort Document = 0x17;
    public const ushort PartitionKey = 0x2B;
    public const ushort PartitionKeyRangeId = 0x2C;
    public const ushort CollectionRid = 0x35;
    public const ushort TransportRequestId = 0x4D;
    public const ushort BatchAtomic = 0x73;
    public const ushort ReturnPreference = 0x82;
}

/// <summary>Makes frames as clients send them, and ones that no client sends.</summary>
internal sealed class FrameBuilder
{
    private readonly List<byte> _bytes = [];

    public FrameBuilder(ResourceType resource, OperationType operation)
    {
        _bytes.AddRange(new byte[4]);
        UInt16((ushort)resource);
        UInt16((ushort)operation);
        _bytes.AddRange(new byte[16]);
    }

    public static byte[] HandshakeRequest(uint version = 1) =>
        new FrameBuilder(ResourceType.Connection, OperationType.None)
            .Token(Handshake.ProtocolVersion, TokenType.UInt32, BitConverter.GetBytes(version)).Build();

    /// <summary>A signed operation on a document.</summary>
    public static byte[] Document(
        DirectTarget target, OperationType operation, uint id, string key, string? document, string? body, string verb,
        Action<FrameBuilder>? more = null)
    {
        string date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        string link = $"dbs/{target.Database}/colls/{target.Container}" + (document is null ? "" : $"/docs/{document}");
        string text = $"{verb}\ndocs\n{link}\n{date.ToLowerInvariant()}\n\n";
        string signature = Convert.ToBase64String(HMACSHA256.HashData(Convert.FromBase64String(target.Key), Encoding.UTF8.GetBytes(text)));
        FrameBuilder frame = new FrameBuilder(ResourceType.Document, operation)
            .Text(RequestTokens.Authorization, Uri.EscapeDataString($"type=master&ver=1.0&sig={signature}"))
            .Text(RequestTokens.Date, date)
            .Text(RequestTokens.ReplicaPath, target.ReplicaPath)
            .Text(RequestTokens.Database, target.Database)
            .Text(RequestTokens.Container, target.Container)
            .Text(RequestTokens.PartitionKey, $"[\"{key}\"]")
            .Token(RequestTokens.TransportRequestId, TokenType.UInt32, BitConverter.GetBytes(id));
        if (document is not null)
            frame.Text(RequestTokens.Document, document);
        more?.Invoke(frame);
        if (body is not null)
            frame.Token(RequestTokens.PayloadPresent, TokenType.Byte, [1]);
        return frame.Build(body is null ? null : Encoding.UTF8.GetBytes(body));
    }

    public FrameBuilder Token(ushort id, TokenType type, byte[] value)
    {
        UInt16(id);
        _bytes.Add((byte)type);
        _bytes.AddRange(value);
        return this;
    }

    public FrameBuilder Text(ushort id, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        return Token(id, TokenType.String, [.. BitConverter.GetBytes((ushort)bytes.Length), .. bytes]);
    }

    public byte[] Build(byte[]? body = null)
    {
        byte[] frame = body is null ? [.. _bytes] : [.. _bytes, .. BitConverter.GetBytes(body.Length), .. body];
        BinaryPrimitives.WriteInt32LittleEndian(frame, _bytes.Count);
        return frame;
    }

    private void UInt16(ushort value) => _bytes.AddRange(BitConverter.GetBytes(value));
}
