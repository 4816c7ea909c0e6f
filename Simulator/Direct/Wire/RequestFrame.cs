namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>A frame violates the protocol. The server closes the connection.</summary>
internal sealed class FrameException(string reason) : Exception(reason);

/// <param name="TransportRequestId">Returned in the response, so that the client finds its request.</param>
internal readonly record struct FrameIds(Guid ActivityId, uint TransportRequestId);

internal static class RequestFrame
{
    /// <summary>
    /// Reads a request's frame up to its body; false if it is malformed. Text stays in the frame, which becomes the source.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> frame, AccountRequest request, out FrameIds ids)
    {
        ids = default;
        if (frame.Length < FrameLimits.HeadBytes)
            return false;
        request.Resource = (ResourceType)BinaryPrimitives.ReadUInt16LittleEndian(frame[4..]);
        request.Operation = (OperationType)BinaryPrimitives.ReadUInt16LittleEndian(frame[6..]);
        ids = new FrameIds(new Guid(frame[8..FrameLimits.HeadBytes]), 0);
        request.Error = ErrorOf(request.Resource, request.Operation);
        if (request.Operation == OperationType.SqlQuery)
            request.Operation = OperationType.Query;
        // A connection's first frame has tokens of its own.
        if (request.Resource == ResourceType.Connection)
            return true;
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        var hasResourceId = false;
        while (!tokens.IsAtEnd)
        {
            if (!tokens.TryRead() || !TryTake(request, ref tokens, ref ids))
                return false;
            hasResourceId |= tokens.Id == RequestFields.ResourceIdToken;
        }

        if (hasResourceId && !request.Has(RequestField.Database))
            request.Error ??= UnservedResources.ByResourceId();
        return true;
    }

    private static bool TryTake(AccountRequest request, ref TokenReader token, ref FrameIds ids)
    {
        if (RequestFields.WithToken(token.Id) is not { } name)
            return true;
        switch (name.Kind)
        {
            case FieldKind.Text:
                var isReadCondition = token.Id == RequestFields.MatchToken
                    && request.Operation is OperationType.Read or OperationType.Head or OperationType.ReadFeed;
                request.Set(isReadCondition ? RequestField.IfNoneMatch : name.Field, token.Value);
                return token.IsText;
            case FieldKind.Flag:
                if (!token.TryGetByte(out var flag))
                    return false;
                if (flag != 0)
                    request.Set(name.Field);
                return true;
            default:
                return TryTakeNumber(request, name.Field, ref token, ref ids);
        }
    }

    private static bool TryTakeNumber(AccountRequest request, RequestField field, ref TokenReader token, ref FrameIds ids)
    {
        if (field is RequestField.PageSize or RequestField.TransportRequestId or RequestField.ContinuationLimit)
        {
            if (!token.TryGetUInt32(out var number))
                return false;
            if (field == RequestField.ContinuationLimit)
                request.ContinuationLimitKb = number;
            else if (field == RequestField.PageSize)
                request.PageSize = (int)Math.Min(number, int.MaxValue);
            else
                ids = ids with { TransportRequestId = number };
            return true;
        }

        if (!token.TryGetByte(out var value))
            return false;
        if (field == RequestField.ThroughputBucket)
            request.SetBucket(value);
        else if (field == RequestField.IndexingDirective)
            request.SetIndexing(IndexingDirectives.From(value));
        else if (field == RequestField.Priority && value == AccountRequest.LowPriority)
            request.Set(field);
        // Clients ask the partition that holds databases for a strong read, whatever the account's level is.
        else if (field == RequestField.Consistency && request.Resource == ResourceType.Document)
            request.SetConsistency(ConsistencyLevels.From(value));
        return true;
    }

    /// <summary>
    /// Why the request is not served; null if it is. For everything else about databases and containers, clients ask the gateway.
    /// </summary>
    private static RequestException? ErrorOf(ResourceType resource, OperationType operation) => (resource, operation) switch
    {
        (ResourceType.Database, OperationType.Read or OperationType.HeadFeed) => null,
        (ResourceType.Database or ResourceType.Container, OperationType.ReadFeed or OperationType.Query or OperationType.SqlQuery) => null,
        (ResourceType.Container, OperationType.Head) => null,
        (ResourceType.Document, OperationType.Create or OperationType.Upsert or OperationType.Replace or OperationType.Delete) => null,
        (ResourceType.Document, OperationType.Read or OperationType.Head or OperationType.Batch or OperationType.Patch) => null,
        (ResourceType.Document, OperationType.Query or OperationType.SqlQuery or OperationType.ReadFeed) => null,
        (ResourceType.StoredProcedure, OperationType.Execute) => null,
        _ => UnservedResources.ErrorOf(resource, operation),
    };
}

/// <summary>How a token's value is written; all numbers are little-endian.</summary>
internal enum TokenType : byte
{
    Byte = 0x0,
    UInt16 = 0x1,
    UInt32 = 0x2,
    Int32 = 0x3,
    UInt64 = 0x4,
    Int64 = 0x5,
    Guid = 0x6,

    /// <summary>Text after one byte of length.</summary>
    SmallString = 0x7,

    /// <summary>Text after two bytes of length.</summary>
    String = 0x8,

    /// <summary>Text after four bytes of length.</summary>
    LongString = 0x9,

    SmallBytes = 0xA,
    Bytes = 0xB,
    LongBytes = 0xC,
    Float = 0xD,
    Double = 0xE,
}

/// <summary>Reads the tokens of a frame, never beyond its end. The bytes may be anything.</summary>
internal ref struct TokenReader(ReadOnlySpan<byte> frame, int start)
{
    private readonly ReadOnlySpan<byte> _frame = frame;
    private int _at = start;

    public ushort Id { get; private set; }

    public TokenType Type { get; private set; }

    /// <summary>The value's bytes, without the length that stands in front of text.</summary>
    public TextRange Value { get; private set; }

    public readonly bool IsAtEnd => _at == _frame.Length;

    public readonly bool IsText => Type is >= TokenType.SmallString and <= TokenType.LongBytes;

    /// <summary>Moves to the next token. False if what follows is no token.</summary>
    public bool TryRead()
    {
        const int idAndType = 3;
        var rest = _frame[_at..];
        if (rest.Length < idAndType)
            return false;
        Id = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        Type = (TokenType)rest[2];
        rest = rest[idAndType..];
        (var prefix, var length) = Type switch
        {
            TokenType.Byte => (0, 1u),
            TokenType.UInt16 => (0, 2u),
            TokenType.UInt32 or TokenType.Int32 or TokenType.Float => (0, 4u),
            TokenType.UInt64 or TokenType.Int64 or TokenType.Double => (0, 8u),
            TokenType.Guid => (0, 16u),
            TokenType.SmallString or TokenType.SmallBytes when rest.Length >= 1 => (1, rest[0]),
            TokenType.String or TokenType.Bytes when rest.Length >= 2 => (2, BinaryPrimitives.ReadUInt16LittleEndian(rest)),
            TokenType.LongString or TokenType.LongBytes when rest.Length >= 4 => (4, BinaryPrimitives.ReadUInt32LittleEndian(rest)),
            _ => (-1, 0u),
        };
        if (prefix < 0 || length > (uint)(rest.Length - prefix))
            return false;
        Value = new TextRange(_at + idAndType + prefix, (int)length);
        _at += idAndType + prefix + (int)length;
        return true;
    }

    public readonly bool TryGetByte(out byte value)
    {
        value = Type == TokenType.Byte ? _frame[Value.Start] : (byte)0;
        return Type == TokenType.Byte;
    }

    public readonly bool TryGetUInt32(out uint value)
    {
        var is32 = Type is TokenType.UInt32 or TokenType.Int32;
        value = is32 ? BinaryPrimitives.ReadUInt32LittleEndian(_frame[Value.Start..]) : 0;
        return is32;
    }
}
