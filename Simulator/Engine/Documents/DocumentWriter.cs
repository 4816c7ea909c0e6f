using System.Buffers;
using System.Buffers.Text;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Writes a stored body followed by its system properties, which are made from the record.</summary>
internal static class DocumentWriter
{
    private const int LongestTimestamp = 10;

    public static void Write(IBufferWriter<byte> output, ContainerResource container, in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        DocumentTail tail = container.DocumentTail;
        int most = body.Length + tail.BeforeRid.Length + tail.BeforeSelf.Length + tail.BeforeEtag.Length + tail.BeforeTimestamp.Length
            + (2 * RidEncoding.ChildCharacters) + DocumentEtag.Length + LongestTimestamp;
        Span<byte> all = output.GetSpan(most);
        int at = body.Length - 1;
        body[..at].CopyTo(all);
        at = Append(all, at, tail.BeforeRid);
        Span<byte> rid = all.Slice(at, RidEncoding.ChildCharacters);
        RidEncoding.WriteDocument(container.RidBytes, record.Number, rid);
        at += RidEncoding.ChildCharacters;
        at = Append(all, at, tail.BeforeSelf);
        at = Append(all, at, rid);
        at = Append(all, at, tail.BeforeEtag);
        DocumentEtag.Write(all[at..], container.Number, record.Version);
        at += DocumentEtag.Length;
        at = Append(all, at, tail.BeforeTimestamp);
        Utf8Formatter.TryFormat(record.TimestampSeconds, all[at..], out int digits);
        at += digits;
        all[at++] = (byte)'}';
        output.Advance(at);
    }

    private static int Append(Span<byte> destination, int at, ReadOnlySpan<byte> part)
    {
        part.CopyTo(destination[at..]);
        return at + part.Length;
    }
}
