namespace ScaleOut.Simulator.Direct.Wire;

internal sealed class ResponseFrame
{
    public const ushort PayloadPresent = 0x00;

    private const ushort QuorumAckedLsn = 0x1A;
    private const ushort WriteQuorum = 0x1E;
    private const ushort ReplicaSetSize = 0x1F;
    private const ushort PartitionKeyRangeId = 0x21;
    private const ushort GlobalCommittedLsn = 0x29;
    private const ushort ReadRegions = 0x30;
    private const ushort ItemLsn = 0x32;
    private const ushort LocalLsn = 0x3A;
    private const ushort QuorumAckedLocalLsn = 0x3B;
    private const ushort ItemLocalLsn = 0x3C;
    private const int MaxFixedBytes = 768;
    private const int MaxSessionBytes = 24;

    private ContainerResource? _container;
    private byte[] _containerTokens = [];

    public const ushort TransportRequestId = 0x35;

    public void Write(IBufferWriter<byte> output, FrameIds ids, AccountResponse response)
    {
        var body = response.Output.WrittenSpan;
        ReadOnlySpan<byte> containerTokens = response.Container is { } container ? TokensOf(container) : [];
        var most = FrameLimits.HeadBytes + MaxFixedBytes + containerTokens.Length + (response.Container?.Rid.Length ?? 0)
            + (response.Continuation?.Length ?? 0) + (response.Etag?.Length ?? 0) + (response.QueryMetrics?.Length ?? 0)
            + (response.IndexMetrics?.Length ?? 0) + (response.ScriptLog?.Length ?? 0);
        var frame = new FrameWriter(output.GetSpan(most));
        frame.Add(PayloadPresent, body.IsEmpty ? (byte)0 : (byte)1);
        frame.Add(TransportRequestId, ids.TransportRequestId);
        frame.Add(ResponseFields.Charge.Token, response.Charge?.Value ?? 0);
        if (response.SubStatus != 0)
            frame.Add(ResponseFields.SubStatus.Token, (uint)response.SubStatus);
        if (response.RetryAfterMs > 0)
            frame.Add(ResponseFields.RetryAfterMs.Token, (uint)response.RetryAfterMs);
        WritePosition(ref frame, response);
        if (response.ItemCount is { } items)
            frame.Add(ResponseFields.ItemCount.Token, (uint)items);
        frame.Add(ResponseFields.Continuation.Token, response.Continuation);
        frame.Add(ResponseFields.QueryMetrics.Token, response.QueryMetrics);
        frame.Add(ResponseFields.IndexMetrics.Token, response.IndexMetrics);
        frame.Add(ResponseFields.ScriptLog.Token, response.ScriptLog);
        frame.AddRaw(containerTokens);
        if (response is { Container: { } owner, ShowsContainerRid: true })
            frame.Add(ResponseFields.OwnerRid.Token, owner.Rid);
        frame.Complete((uint)response.Status, ids.ActivityId);
        output.Advance(frame.Length);
        if (body.IsEmpty)
            return;
        BinaryPrimitives.WriteInt32LittleEndian(output.GetSpan(sizeof(int)), body.Length);
        output.Advance(sizeof(int));
        output.Write(body);
    }

    private static void WritePosition(ref FrameWriter frame, AccountResponse response)
    {
        var partition = response.Partition;
        var lsn = response.Lsn;
        frame.Add(ResponseFields.Lsn.Token, lsn);
        frame.Add(LocalLsn, lsn);
        frame.Add(QuorumAckedLsn, lsn);
        frame.Add(QuorumAckedLocalLsn, lsn);
        frame.Add(GlobalCommittedLsn, lsn);
        if (partition is null)
            return;
        Span<byte> session = stackalloc byte[MaxSessionBytes];
        frame.Add(ResponseFields.SessionToken.Token, session[..SessionTokens.WriteWithoutRange(session, lsn)]);
        frame.Add(PartitionKeyRangeId, partition.Id);
        if (response.Usage is { } usage)
        {
            frame.Add(ResponseFields.Quota.Token, StorageLimits.Quota);
            frame.Add(ResponseFields.Usage.Token, usage);
        }

        if (response.Version == 0)
        {
            frame.Add(ResponseFields.Etag.Token, response.Etag);
            return;
        }

        frame.Add(ItemLsn, response.Version);
        frame.Add(ItemLocalLsn, response.Version);
        var etag = frame.AddText(ResponseFields.Etag.Token, DocumentEtag.Length + 2);
        etag[0] = etag[^1] = (byte)'"';
        DocumentEtag.Write(etag[1..], response.Container!.Number, response.Version);
    }

    /// <summary>The tokens of every response about the container. Nearly always, a connection's requests are for one container.</summary>
    private byte[] TokensOf(ContainerResource container)
    {
        if (container == _container)
            return _containerTokens;
        var link = Encoding.UTF8.GetBytes(container.Link);
        var buffer = new byte[FrameLimits.HeadBytes + link.Length + 64];
        var tokens = new FrameWriter(buffer);
        tokens.Add(ResponseFields.OwnerName.Token, link);
        tokens.Add(WriteQuorum, (uint)ReplicaSet.WriteQuorum);
        tokens.Add(ReplicaSetSize, (uint)ReplicaSet.Size);
        tokens.Add(ReadRegions, 0u);
        _container = container;
        return _containerTokens = buffer[FrameLimits.HeadBytes..tokens.Length];
    }
}

/// <summary>Writes a frame's tokens into a span that is long enough.</summary>
internal ref struct FrameWriter(Span<byte> destination)
{
    private const int TokenHead = 3;

    private readonly Span<byte> _destination = destination;

    public int Length { get; private set; } = FrameLimits.HeadBytes;

    public void Add(ushort token, byte value) => Begin(token, TokenType.Byte, sizeof(byte))[0] = value;

    public void Add(ushort token, uint value) =>
        BinaryPrimitives.WriteUInt32LittleEndian(Begin(token, TokenType.UInt32, sizeof(uint)), value);

    public void Add(ushort token, long value) =>
        BinaryPrimitives.WriteInt64LittleEndian(Begin(token, TokenType.Int64, sizeof(long)), value);

    public void Add(ushort token, double value) =>
        BinaryPrimitives.WriteDoubleLittleEndian(Begin(token, TokenType.Double, sizeof(double)), value);

    /// <summary>Adds text of up to 65,535 bytes.</summary>
    public void Add(ushort token, scoped ReadOnlySpan<byte> utf8) => utf8.CopyTo(AddText(token, utf8.Length));

    /// <summary>Adds ASCII text of up to 65,535 characters. Null adds nothing.</summary>
    public void Add(ushort token, string? ascii)
    {
        if (ascii is not null)
            Encoding.ASCII.GetBytes(ascii, AddText(token, ascii.Length));
    }

    /// <summary>Adds text of this many bytes, which the caller fills in.</summary>
    public Span<byte> AddText(ushort token, int length)
    {
        var value = Begin(token, TokenType.String, sizeof(ushort) + length);
        BinaryPrimitives.WriteUInt16LittleEndian(value, checked((ushort)length));
        return value[sizeof(ushort)..];
    }

    /// <summary>Adds text of up to 255 bytes.</summary>
    public void AddSmall(ushort token, scoped ReadOnlySpan<byte> utf8)
    {
        var value = Begin(token, TokenType.SmallString, 1 + utf8.Length);
        value[0] = checked((byte)utf8.Length);
        utf8.CopyTo(value[1..]);
    }

    /// <summary>Adds tokens that are encoded already.</summary>
    public void AddRaw(ReadOnlySpan<byte> tokens)
    {
        tokens.CopyTo(_destination[Length..]);
        Length += tokens.Length;
    }

    /// <summary>Writes the head, with the length of head and tokens.</summary>
    public readonly void Complete(uint status, Guid activityId)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_destination, Length);
        BinaryPrimitives.WriteUInt32LittleEndian(_destination[4..], status);
        activityId.TryWriteBytes(_destination[8..]);
    }

    private Span<byte> Begin(ushort token, TokenType type, int length)
    {
        var at = _destination.Slice(Length, TokenHead + length);
        BinaryPrimitives.WriteUInt16LittleEndian(at, token);
        at[2] = (byte)type;
        Length += at.Length;
        return at[TokenHead..];
    }
}
