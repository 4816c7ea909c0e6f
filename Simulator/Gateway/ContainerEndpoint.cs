using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Containers: <c>dbs/{db}/colls</c> and <c>dbs/{db}/colls/{name}</c>.</summary>
internal static class ContainerEndpoint
{
    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        bool isFeed = context.Target.Kind == ResourceKind.Containers;
        switch (context.Target.Method)
        {
            case "GET" when isFeed:
            case "POST" when isFeed && ResourceFeed.IsQuery(context):
                DatabaseResource owner = ResourceLookup.Database(context, asOwner: true);
                return ResourceFeed.WriteAsync(context, owner.Rid, "DocumentCollections", ResourceCatalog.ContainersOf(owner), Write);
            case "POST" when isFeed:
                return WriteAsync(context, 201, RequestCharges.MetadataWrite, Create(context));
            case "GET":
                return WriteAsync(context, 200, RequestCharges.MetadataRead, ResourceLookup.Container(context, asOwner: false));
            case "PUT" when !isFeed:
                ContainerResource container = ResourceLookup.Container(context, asOwner: false);
                container.Replace(ContainerSettings.Parse(context.Body));
                return WriteAsync(context, 200, RequestCharges.MetadataWrite, container);
            case "DELETE" when !isFeed:
                context.Account.Catalog.DeleteContainer(ResourceLookup.Container(context, asOwner: false));
                context.SetCharge(RequestCharges.MetadataWrite);
                return context.WriteAsync(204);
            default:
                throw new RequestException(405, 0, "The method is not allowed on this path.");
        }
    }

    private static ContainerResource Create(GatewayExchange context)
    {
        DatabaseResource database = ResourceLookup.Database(context, asOwner: true);
        Offer offer = Offer.FromHeaders(context.Header(GatewayHeaders.OfferThroughput), context.Header(GatewayHeaders.AutopilotSettings));
        return context.Account.Catalog.CreateContainer(database, ContainerSettings.Parse(context.Body), offer);
    }

    private static ValueTask WriteAsync(GatewayExchange context, int status, RequestUnits charge, ContainerResource container)
    {
        context.SetContainer(container);
        return ResourceFeed.WriteOneAsync(context, status, charge, Etag(container), container, Write);
    }

    private static string Etag(ContainerResource container) => $"\"{container.Rid}-{container.Revision}\"";

    /// <summary>Writes the container as every front end shows it.</summary>
    public static void Write(Utf8JsonWriter writer, ContainerResource container)
    {
        writer.WriteStartObject();
        container.Definition.WriteTo(writer);
        writer.WriteString("_rid", container.Rid);
        writer.WriteString("_self", container.SelfLink);
        writer.WriteString("_etag", Etag(container));
        writer.WriteString("_docs", "docs/");
        writer.WriteString("_sprocs", "sprocs/");
        writer.WriteString("_triggers", "triggers/");
        writer.WriteString("_udfs", "udfs/");
        writer.WriteString("_conflicts", "conflicts/");
        writer.WriteNumber("_ts", container.TimestampSeconds);
        writer.WriteEndObject();
    }
}
