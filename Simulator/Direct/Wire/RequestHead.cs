using System.Buffers.Binary;

namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>What is known of a request from its head and tokens. Text stays in the frame.</summary>
internal struct RequestHead
{
    public ushort Resource;
    public ushort Operation;
    public Guid ActivityId;

    /// <summary>Whether a body follows, behind its length.</summary>
    public bool HasBody;

    /// <summary>Given back in the answer, so that the client finds the request it belongs to.</summary>
    public uint TransportRequestId;

    /// <summary>Documents on a page; <see cref="uint.MaxValue"/> leaves it to the service, 0 when not given.</summary>
    public uint PageSize;

    /// <summary>The protocol's number of a consistency level; <see cref="byte.MaxValue"/> when not given.</summary>
    public byte Consistency;

    public bool IsAtomic;
    public bool ContinuesOnError;
    public bool WantsNoBody;
    public bool IsChangeFeed;

    public TokenRange ResourceId;
    public TokenRange Authorization;
    public TokenRange Date;
    public TokenRange SessionToken;
    public TokenRange Continuation;
    public TokenRange Match;
    public TokenRange ReplicaPath;
    public TokenRange Database;
    public TokenRange Container;
    public TokenRange Document;
    public TokenRange PartitionKey;
    public TokenRange RangeId;
    public TokenRange CollectionRid;
    public TokenRange StartPosition;
    public TokenRange EndPosition;

    /// <summary>Reads a frame up to its body; false when it is malformed.</summary>
    public static bool TryRead(ReadOnlySpan<byte> frame, out RequestHead head)
    {
        head = default;
        if (frame.Length < FrameLimits.HeadBytes)
            return false;
        head.Consistency = byte.MaxValue;
        head.Resource = BinaryPrimitives.ReadUInt16LittleEndian(frame[4..]);
        head.Operation = BinaryPrimitives.ReadUInt16LittleEndian(frame[6..]);
        head.ActivityId = new Guid(frame[8..FrameLimits.HeadBytes]);
        // A connection's first frame has tokens of its own.
        if (head.Resource == ResourceTypes.Connection)
            return true;
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        while (!tokens.IsAtEnd)
        {
            if (!tokens.TryRead() || !head.TryTake(ref tokens))
                return false;
        }

        return true;
    }

    private bool TryTake(ref TokenReader token) => token.Id switch
    {
        RequestTokens.ResourceId => TryText(token, ref ResourceId),
        RequestTokens.Authorization => TryText(token, ref Authorization),
        RequestTokens.PayloadPresent => TryFlag(token, ref HasBody),
        RequestTokens.Date => TryText(token, ref Date),
        RequestTokens.PageSize => token.TryGetUInt32(out PageSize),
        RequestTokens.SessionToken => TryText(token, ref SessionToken),
        RequestTokens.Continuation => TryText(token, ref Continuation),
        RequestTokens.Match => TryText(token, ref Match),
        RequestTokens.ConsistencyLevel => token.TryGetByte(out Consistency),
        RequestTokens.ReplicaPath => TryText(token, ref ReplicaPath),
        RequestTokens.Database => TryText(token, ref Database),
        RequestTokens.Container => TryText(token, ref Container),
        RequestTokens.Document => TryText(token, ref Document),
        RequestTokens.PartitionKey => TryText(token, ref PartitionKey),
        RequestTokens.PartitionKeyRangeId => TryText(token, ref RangeId),
        RequestTokens.CollectionRid or RequestTokens.IntendedCollectionRid => TryText(token, ref CollectionRid),
        RequestTokens.ChangeFeed => IsChangeFeed = true,
        RequestTokens.TransportRequestId => token.TryGetUInt32(out TransportRequestId),
        RequestTokens.StartPosition => TryText(token, ref StartPosition),
        RequestTokens.EndPosition => TryText(token, ref EndPosition),
        RequestTokens.BatchAtomic => TryFlag(token, ref IsAtomic),
        RequestTokens.BatchContinueOnError => TryFlag(token, ref ContinuesOnError),
        RequestTokens.ReturnPreference => TryFlag(token, ref WantsNoBody),
        _ => true,
    };

    private static bool TryText(TokenReader token, ref TokenRange range)
    {
        range = token.Value;
        return token.IsText;
    }

    private static bool TryFlag(TokenReader token, ref bool flag)
    {
        bool isByte = token.TryGetByte(out byte value);
        flag = value != 0;
        return isByte;
    }
}
