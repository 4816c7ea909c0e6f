using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The addresses of replicas, which Direct clients ask the gateway for: <c>addresses/?$resolveFor=...</c>.</summary>
internal static class AddressEndpoint
{
    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        if (context.Target.Method != "GET" || context.Account.Replicas is not { } replicas)
            throw new RequestException(405, 0, "The method is not allowed on this path.");
        AddressQuery query = context.Target.Addresses!;
        int count;
        using (var writer = new Utf8JsonWriter(context.Output))
        {
            writer.WriteStartObject();
            writer.WriteString("_rid", "");
            writer.WriteStartArray("Addresss");
            count = query.ResolveFor switch
            {
                ["dbs"] => WriteMaster(writer, replicas),
                ["dbs", _, "colls", _, "docs"] => WritePartitions(writer, replicas, ResourceLookup.Container(context, asOwner: true), query.Ranges),
                _ => throw RequestException.BadRequest("Addresses are known of dbs and of a container's docs."),
            };
            writer.WriteEndArray();
            writer.WriteNumber("_count", count);
            writer.WriteEndObject();
        }

        context.SetCharge(RequestCharges.MetadataRead);
        return context.WriteAsync(200);
    }

    private static int WriteMaster(Utf8JsonWriter writer, IReplicaAddresses replicas)
    {
        for (int i = 0; i < ReplicaSet.Size; i++)
            WriteOne(writer, i, replicas.MasterAddress(i), "M", "0");
        return ReplicaSet.Size;
    }

    /// <summary>A range that is gone is left out, by which clients see that their ranges are out of date.</summary>
    private static int WritePartitions(Utf8JsonWriter writer, IReplicaAddresses replicas, ContainerResource container, string[] ranges)
    {
        int count = 0;
        IEnumerable<PhysicalPartition> partitions = ranges.Length == 0 ? container.Table.Live : ranges.Select(id => container.FindRange(id)).OfType<PhysicalPartition>();
        foreach (PhysicalPartition partition in partitions)
        {
            for (int i = 0; i < ReplicaSet.Size; i++)
                WriteOne(writer, i, replicas.Address(container, partition, i), partition.Id, partition.Id);
            count += ReplicaSet.Size;
        }

        return count;
    }

    private static void WriteOne(Utf8JsonWriter writer, int replica, string address, string range, string index)
    {
        writer.WriteStartObject();
        writer.WriteBoolean("isPrimary", replica == 0);
        writer.WriteBoolean("isAuxiliary", false);
        writer.WriteString("protocol", "rntbd");
        writer.WriteString("logicalUri", address);
        // The protocol's own spelling.
        writer.WriteString("physcialUri", address);
        writer.WriteString("partitionIndex", index);
        writer.WriteString("partitionKeyRangeId", range);
        writer.WriteString("id", replica.ToString(CultureInfo.InvariantCulture));
        writer.WriteEndObject();
    }
}
