using System.Buffers.Binary;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>A frame that no client of the protocol sends; its connection is closed.</summary>
#pragma warning disable CA1032, CA1064 // Never constructed without a reason, never leaves this assembly.
internal sealed class FrameException(string reason) : Exception(reason);
#pragma warning restore CA1032, CA1064

/// <summary>What only the frame needs of a request.</summary>
/// <param name="ActivityId">Given back in the response.</param>
/// <param name="TransportRequestId">Given back in the response, so that the client finds the request it belongs to.</param>
internal readonly record struct FrameIds(Guid ActivityId, uint TransportRequestId);

/// <summary>Decodes the head and the tokens of a frame.</summary>
internal static class RequestFrame
{
    /// <summary>
    /// Fills the request from a frame up to its body; false when it is malformed. Text stays where it is: the frame becomes the source.
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
        while (!tokens.IsAtEnd)
        {
            if (!tokens.TryRead() || !TryTake(request, ref tokens, ref ids))
                return false;
        }

        return true;
    }

    private static bool TryTake(AccountRequest request, ref TokenReader token, ref FrameIds ids)
    {
        if (RequestFields.WithToken(token.Id) is not { } name)
            return true;
        switch (name.Kind)
        {
            case FieldKind.Text:
                bool isReadCondition = token.Id == RequestFields.MatchToken
                    && request.Operation is OperationType.Read or OperationType.Head or OperationType.ReadFeed;
                request.Set(isReadCondition ? RequestField.IfNoneMatch : name.Field, token.Value);
                return token.IsText;
            case FieldKind.Flag:
                if (!token.TryGetByte(out byte flag))
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
        if (field == RequestField.Consistency)
        {
            if (!token.TryGetByte(out byte level))
                return false;
            // Clients ask the partition that holds databases for a strong read, whatever the account's level is.
            if (request.Resource != ResourceType.Document)
                return true;
            request.Consistency = ConsistencyLevels.From(level);
            if (request.Consistency is null)
                request.Error ??= RequestException.BadRequest($"{level} is no consistency level.");
            return true;
        }

        if (field == RequestField.Priority)
        {
            if (!token.TryGetByte(out byte priority))
                return false;
            if (priority == AccountRequest.LowPriority)
                request.Set(field);
            return true;
        }

        if (field == RequestField.ThroughputBucket)
        {
            if (!token.TryGetByte(out byte bucket))
                return false;
            request.SetBucket(bucket);
            return true;
        }

        if (!token.TryGetUInt32(out uint number))
            return false;
        if (field == RequestField.PageSize)
            request.PageSize = (int)Math.Min(number, int.MaxValue);
        else
            ids = ids with { TransportRequestId = number };
        return true;
    }

    /// <summary>
    /// Why the request is not served; null when it is. Everything else about databases and containers clients ask the gateway for.
    /// </summary>
    private static RequestException? ErrorOf(ResourceType resource, OperationType operation) => (resource, operation) switch
    {
        (ResourceType.Database, OperationType.Read or OperationType.HeadFeed) => null,
        (ResourceType.Database or ResourceType.Container, OperationType.ReadFeed or OperationType.Query or OperationType.SqlQuery) => null,
        (ResourceType.Container, OperationType.Head) => null,
        (ResourceType.Document, OperationType.Create or OperationType.Upsert or OperationType.Replace or OperationType.Delete) => null,
        (ResourceType.Document, OperationType.Read or OperationType.Head or OperationType.Batch or OperationType.Patch) => null,
        (ResourceType.Document, OperationType.Query or OperationType.SqlQuery or OperationType.ReadFeed) => null,
        _ => UnservedResources.ErrorOf(resource, operation),
    };
}
