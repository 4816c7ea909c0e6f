using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The feed of partition key ranges, which clients route by. A client that knows the feed gets what splits have added since.</summary>
internal static class RangeEndpoint
{
    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        if (context.Target.Method != "GET")
            throw new RequestException(405, 0, "The method is not allowed on this path.");
        ContainerResource container = ResourceLookup.Container(context, asOwner: true);
        PartitionMap table = container.Table;
        string etag = $"\"{container.Rid}:{table.Revision}\"";
        context.SetCharge(RequestCharges.MetadataRead);
        context.SetContainer(container);
        context.ResponseHeaders.ETag = etag;
        int known = KnownRevision(context, container);
        if (known == table.Revision)
            return context.WriteAsync(304);

        PhysicalPartition[] news = [.. table.Live.Where(partition => partition.Revision > known)];
        using (var writer = new Utf8JsonWriter(context.Output))
            Write(writer, container, news, table.Live.Count);
        context.ResponseHeaders[GatewayHeaders.ItemCount] = news.Length.ToString(CultureInfo.InvariantCulture);
        return context.WriteAsync(200);
    }

    /// <summary>The revision that the client's ETag stands for; -1 for none or one of another container.</summary>
    private static int KnownRevision(GatewayExchange context, ContainerResource container)
    {
        if (context.RequestHeaders.IfNoneMatch is not [{ } etag])
            return -1;
        ReadOnlySpan<char> text = etag.AsSpan().Trim('"');
        int cut = text.IndexOf(':');
        return cut > 0 && text[..cut].SequenceEqual(container.Rid) && int.TryParse(text[(cut + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out int revision)
            ? revision
            : -1;
    }

    private static void Write(Utf8JsonWriter writer, ContainerResource container, PhysicalPartition[] partitions, int live)
    {
        writer.WriteStartObject();
        writer.WriteString("_rid", container.Rid);
        writer.WriteStartArray("PartitionKeyRanges");
        foreach (PhysicalPartition partition in partitions)
        {
            string rid = RidEncoding.Range(container.RidBytes, partition.Ordinal);
            writer.WriteStartObject();
            writer.WriteString("_rid", rid);
            writer.WriteString("id", partition.Id);
            writer.WriteString("_etag", "\"0\"");
            writer.WriteString("minInclusive", partition.MinInclusive);
            writer.WriteString("maxExclusive", partition.MaxExclusive);
            writer.WriteNumber("ridPrefix", partition.Ordinal);
            writer.WriteString("_self", $"{container.SelfLink}pkranges/{rid}/");
            writer.WriteNumber("throughputFraction", 1.0 / live);
            writer.WriteString("status", "online");
            writer.WriteStartArray("parents");
            foreach (string parent in partition.Parents)
                writer.WriteStringValue(parent);
            writer.WriteEndArray();
            writer.WriteNumber("_ts", container.TimestampSeconds);
            writer.WriteNumber("lsn", partition.Lsn);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteNumber("_count", partitions.Length);
        writer.WriteEndObject();
    }
}
