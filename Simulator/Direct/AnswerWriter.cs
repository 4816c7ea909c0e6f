using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct;

/// <summary>Writes answers as frames.</summary>
internal static class AnswerWriter
{
    private const int MostFixedBytes = 512;
    private const int MostLsnDigits = 20;

    public static void Write(OutgoingBytes output, in RequestHead head, ContainerRoute? route, in DirectAnswer answer)
    {
        ReadOnlySpan<byte> body = answer.Body.Span;
        byte[]? error = null;
        if (body.IsEmpty && answer.Result.Status >= ServiceStatus.BadRequest && answer.Result.Message is { } message)
            body = error = Error(answer.Result.Status, message);
        int most = FrameLimits.HeadBytes + MostFixedBytes + (route?.AnswerTokens.Length ?? 0) + (answer.Continuation?.Length ?? 0);
        var frame = new FrameWriter(output.GetSpan(most));
        frame.Add(ResponseTokens.PayloadPresent, body.IsEmpty ? (byte)0 : (byte)1);
        frame.Add(ResponseTokens.TransportRequestId, head.TransportRequestId);
        WriteResult(ref frame, answer.Result);
        WritePosition(ref frame, answer, route);
        if (answer.ItemCount is { } items)
            frame.Add(ResponseTokens.ItemCount, (uint)items);
        if (answer.Continuation is { } continuation)
            frame.Add(ResponseTokens.Continuation, Encoding.ASCII.GetBytes(continuation));
        if (route is not null)
            frame.AddRaw(route.AnswerTokens);
        frame.Complete((uint)answer.Result.Status, head.ActivityId);
        output.Advance(frame.Length);
        if (body.IsEmpty)
            return;
        BinaryPrimitives.WriteInt32LittleEndian(output.GetSpan(sizeof(int)), body.Length);
        output.Advance(sizeof(int));
        output.Write(body);
    }

    private static void WriteResult(ref FrameWriter frame, in OperationResult result)
    {
        frame.Add(ResponseTokens.Charge, result.Charge.Value);
        if (result.SubStatus != 0)
            frame.Add(ResponseTokens.SubStatus, (uint)result.SubStatus);
        if (result.RetryAfterMs > 0)
            frame.Add(ResponseTokens.RetryAfterMs, (uint)result.RetryAfterMs);
    }

    private static void WritePosition(ref FrameWriter frame, in DirectAnswer answer, ContainerRoute? route)
    {
        PhysicalPartition? partition = answer.Partition;
        long lsn = answer.Result.Lsn > 0 ? answer.Result.Lsn : partition?.Lsn ?? 0;
        frame.Add(ResponseTokens.Lsn, lsn);
        frame.Add(ResponseTokens.LocalLsn, lsn);
        frame.Add(ResponseTokens.QuorumAckedLsn, lsn);
        frame.Add(ResponseTokens.QuorumAckedLocalLsn, lsn);
        frame.Add(ResponseTokens.GlobalCommittedLsn, lsn);
        if (partition is null)
            return;
        WriteSessionToken(ref frame, lsn);
        frame.Add(ResponseTokens.PartitionKeyRangeId, Encoding.ASCII.GetBytes(partition.Id));
        if (answer.Result.Version > 0 && route is not null)
        {
            frame.Add(ResponseTokens.ItemLsn, answer.Result.Version);
            frame.Add(ResponseTokens.ItemLocalLsn, answer.Result.Version);
            Span<byte> etag = frame.AddText(ResponseTokens.Etag, DocumentEtag.Length + 2);
            etag[0] = etag[^1] = (byte)'"';
            DocumentEtag.Write(etag[1..], route.Container.Number, answer.Result.Version);
        }
    }

    /// <summary>The token without its range: clients put the range's id in front.</summary>
    private static void WriteSessionToken(ref FrameWriter frame, long lsn)
    {
        ReadOnlySpan<byte> prefix = "-1#"u8;
        Span<byte> digits = stackalloc byte[MostLsnDigits];
        Utf8Formatter.TryFormat(lsn, digits, out int length);
        Span<byte> text = frame.AddText(ResponseTokens.SessionToken, prefix.Length + length);
        prefix.CopyTo(text);
        digits[..length].CopyTo(text[prefix.Length..]);
    }

    private static byte[] Error(int status, string message)
    {
        using var buffer = new MemoryStream();
        using (var writer = new Utf8JsonWriter(buffer))
        {
            writer.WriteStartObject();
            writer.WriteString("code", ErrorCodes.For(status));
            writer.WriteString("message", message);
            writer.WriteEndObject();
        }

        return buffer.ToArray();
    }
}
