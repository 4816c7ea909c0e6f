namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Writes one connection's responses as frames.</summary>
internal sealed class ResponseFrame
{
    /// <summary>A body follows the tokens.</summary>
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
    private const int MostFixedBytes = 768;
    private const int MostSessionBytes = 24;

    private ContainerResource? _container;
    private byte[] _containerTokens = [];

    /// <summary>The request's id, given back.</summary>
    public const ushort TransportRequestId = 0x35;

    public void Write(IBufferWriter<byte> output, FrameIds ids, AccountResponse response)
    {
        ReadOnlySpan<byte> body = response.Output.WrittenSpan;
        ReadOnlySpan<byte> containerTokens = response.Container is { } container ? TokensOf(container) : [];
        int most = FrameLimits.HeadBytes + MostFixedBytes + containerTokens.Length + (response.Container?.Rid.Length ?? 0)
            + (response.Continuation?.Length ?? 0) + (response.Etag?.Length ?? 0) + (response.QueryMetrics?.Length ?? 0)
            + (response.IndexMetrics?.Length ?? 0);
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
        if (response.Continuation is { } continuation)
            frame.Add(ResponseFields.Continuation.Token, Encoding.ASCII.GetBytes(continuation));
        if (response.QueryMetrics is { } queryMetrics)
            frame.Add(ResponseFields.QueryMetrics.Token, Encoding.ASCII.GetBytes(queryMetrics));
        if (response.IndexMetrics is { } indexMetrics)
            frame.Add(ResponseFields.IndexMetrics.Token, Encoding.ASCII.GetBytes(indexMetrics));
        frame.AddRaw(containerTokens);
        if (response is { Container: { } owner, ShowsContainerRid: true })
            frame.Add(ResponseFields.OwnerRid.Token, Encoding.ASCII.GetBytes(owner.Rid));
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
        PhysicalPartition? partition = response.Partition;
        long lsn = response.Lsn;
        frame.Add(ResponseFields.Lsn.Token, lsn);
        frame.Add(LocalLsn, lsn);
        frame.Add(QuorumAckedLsn, lsn);
        frame.Add(QuorumAckedLocalLsn, lsn);
        frame.Add(GlobalCommittedLsn, lsn);
        if (partition is null)
            return;
        Span<byte> session = stackalloc byte[MostSessionBytes];
        frame.Add(ResponseFields.SessionToken.Token, session[..SessionTokens.WriteWithoutRange(session, lsn)]);
        frame.Add(PartitionKeyRangeId, Encoding.ASCII.GetBytes(partition.Id));
        if (response.Usage is { } usage)
        {
            Encoding.ASCII.GetBytes(StorageLimits.Quota, frame.AddText(ResponseFields.Quota.Token, StorageLimits.Quota.Length));
            Encoding.ASCII.GetBytes(usage, frame.AddText(ResponseFields.Usage.Token, usage.Length));
        }

        if (response.Version == 0)
        {
            if (response.Etag is { } feedEtag)
                frame.Add(ResponseFields.Etag.Token, Encoding.ASCII.GetBytes(feedEtag));
            return;
        }

        frame.Add(ItemLsn, response.Version);
        frame.Add(ItemLocalLsn, response.Version);
        Span<byte> etag = frame.AddText(ResponseFields.Etag.Token, DocumentEtag.Length + 2);
        etag[0] = etag[^1] = (byte)'"';
        DocumentEtag.Write(etag[1..], response.Container!.Number, response.Version);
    }

    /// <summary>Tokens that every response about the container has. A connection's requests are for one container, nearly always.</summary>
    private byte[] TokensOf(ContainerResource container)
    {
        if (container == _container)
            return _containerTokens;
        byte[] link = Encoding.UTF8.GetBytes(container.Link);
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
