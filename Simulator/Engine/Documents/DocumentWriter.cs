namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>ETags of documents. They look like GUIDs, as the service's do, and change with every write, but not with a split.</summary>
internal static class DocumentEtag
{
    /// <summary>Characters without the quotes.</summary>
    public const int Length = 36;

    /// <summary>With quotes, as in headers.</summary>
    public static string Quoted(uint container, long version) =>
        string.Create(CultureInfo.InvariantCulture, $"\"{container:x8}-0000-0000-{version >> 48:x4}-{version & 0xFFFFFFFFFFFF:x12}\"");

    /// <summary>Writes 36 ASCII bytes, without quotes.</summary>
    public static void Write(Span<byte> destination, uint container, long version)
    {
        Hex(destination, container, 8);
        Hex(destination[9..], 0, 4);
        Hex(destination[14..], 0, 4);
        Hex(destination[19..], version >> 48, 4);
        Hex(destination[24..], version & 0xFFFFFFFFFFFF, 12);
        destination[8] = destination[13] = destination[18] = destination[23] = (byte)'-';
    }

    private static void Hex(Span<byte> destination, long value, byte digits) =>
        Utf8Formatter.TryFormat(value, destination, out _, new('x', digits));
}

/// <summary>Writes a stored body and the system properties from its record.</summary>
internal static class DocumentWriter
{
    private const int MaxTimestamp = 10;
    private const int MaxLsn = 19;

    public static void Write(IBufferWriter<byte> output, ContainerResource container, in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        WriteOpen(output, container, in record, body);
        output.Write("}"u8);
    }

    /// <summary>Writes a document of the change feed, with the log sequence number of its last change, which is a transaction's.</summary>
    public static void WriteChange(
        IBufferWriter<byte> output, ContainerResource container, in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        WriteOpen(output, container, in record, body);
        output.Write(",\"_lsn\":"u8);
        Utf8Formatter.TryFormat(record.TransactionLsn, output.GetSpan(MaxLsn), out var digits);
        output.Advance(digits);
        output.Write("}"u8);
    }

    /// <summary>Writes all but the last brace.</summary>
    private static void WriteOpen(
        IBufferWriter<byte> output, ContainerResource container, in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        var tail = container.DocumentTail;
        var most = body.Length + tail.BeforeRid.Length + tail.BeforeSelf.Length + tail.BeforeEtag.Length + tail.BeforeTimestamp.Length
            + (2 * RidEncoding.ChildCharacters) + DocumentEtag.Length + MaxTimestamp;
        var all = output.GetSpan(most);
        var at = body.Length - 1;
        body[..at].CopyTo(all);
        at = Append(all, at, tail.BeforeRid);
        var rid = all.Slice(at, RidEncoding.ChildCharacters);
        RidEncoding.WriteDocument(container.RidBytes, record.Number, rid);
        at += RidEncoding.ChildCharacters;
        at = Append(all, at, tail.BeforeSelf);
        at = Append(all, at, rid);
        at = Append(all, at, tail.BeforeEtag);
        DocumentEtag.Write(all[at..], container.Number, record.Version);
        at += DocumentEtag.Length;
        at = Append(all, at, tail.BeforeTimestamp);
        Utf8Formatter.TryFormat(record.TimestampSeconds, all[at..], out var digits);
        at += digits;
        output.Advance(at);
    }

    private static int Append(Span<byte> destination, int at, ReadOnlySpan<byte> part)
    {
        part.CopyTo(destination[at..]);
        return at + part.Length;
    }
}
