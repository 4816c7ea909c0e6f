using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Charges;
using ScaleOut.Simulator.Partitions;
using ScaleOut.Simulator.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The feed of partition key ranges, which clients route by. Ranges never change, so the feed's second page is always empty.</summary>
internal static class RangeEndpoint
{
    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        if (context.Target.Method != "GET")
            throw new ResourceException(405, 0, "The method is not allowed on this path.");
        ContainerResource container = ResourceLookup.Container(context, asOwner: true);
        string etag = $"\"{container.Rid}\"";
        context.SetCharge(RequestCharges.MetadataRead);
        context.SetContainer(container);
        context.ResponseHeaders.ETag = etag;
        if (context.RequestHeaders.IfNoneMatch is [{ } known] && known.Trim('"') == etag.Trim('"'))
            return context.WriteAsync(304);

        using (var writer = new Utf8JsonWriter(context.Output))
            Write(writer, container);
        context.ResponseHeaders[GatewayHeaders.ItemCount] = container.Partitions.Length.ToString(CultureInfo.InvariantCulture);
        return context.WriteAsync(200);
    }

    private static void Write(Utf8JsonWriter writer, ContainerResource container)
    {
        writer.WriteStartObject();
        writer.WriteString("_rid", container.Rid);
        writer.WriteStartArray("PartitionKeyRanges");
        foreach (PhysicalPartition partition in container.Partitions)
        {
            string rid = ResourceId.Range(container.RidBytes, partition.Ordinal);
            writer.WriteStartObject();
            writer.WriteString("_rid", rid);
            writer.WriteString("id", partition.Id);
            writer.WriteString("_etag", "\"0\"");
            writer.WriteString("minInclusive", container.Map.MinInclusive(partition.Ordinal));
            writer.WriteString("maxExclusive", container.Map.MaxExclusive(partition.Ordinal));
            writer.WriteNumber("ridPrefix", partition.Ordinal);
            writer.WriteString("_self", $"{container.SelfLink}pkranges/{rid}/");
            writer.WriteNumber("throughputFraction", 1.0 / container.Partitions.Length);
            writer.WriteString("status", "online");
            writer.WriteStartArray("parents");
            writer.WriteEndArray();
            writer.WriteNumber("_ts", container.TimestampSeconds);
            writer.WriteNumber("lsn", partition.Lsn);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteNumber("_count", container.Partitions.Length);
        writer.WriteEndObject();
    }
}
