using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Offers, the containers' throughput: <c>offers</c> and <c>offers/{rid}</c>. Replacing one rescales at once.</summary>
internal static class OfferEndpoint
{
    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        bool isFeed = context.Target.Kind == ResourceKind.Offers;
        switch (context.Target.Method)
        {
            case "GET" when isFeed:
            case "POST" when isFeed:
                return ResourceFeed.WriteAsync(context, "", "Offers", context.Account.Catalog.Containers, Write);
            case "GET":
                return WriteAsync(context, RequestCharges.MetadataRead, Find(context));
            case "PUT" when !isFeed:
                ContainerResource container = Find(context);
                container.Rescale(Parse(context.Body));
                return WriteAsync(context, RequestCharges.MetadataWrite, container);
            default:
                throw new RequestException(405, 0, "The method is not allowed on this path.");
        }
    }

    private static ContainerResource Find(GatewayExchange context) =>
        context.Account.Catalog.Containers.FirstOrDefault(container => container.OfferRid == context.Target.LastId) ?? throw RequestException.NotFound();

    private static Offer Parse(ReadOnlyMemory<byte> body)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(body);
            return Offer.FromContent(document.RootElement.GetProperty("content"));
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or KeyNotFoundException)
        {
            throw RequestException.BadRequest("The request payload is no offer with a content.");
        }
    }

    private static ValueTask WriteAsync(GatewayExchange context, RequestUnits charge, ContainerResource container)
    {
        context.ResponseHeaders[GatewayHeaders.OfferReplacePending] = "false";
        context.ResponseHeaders[GatewayHeaders.MinimumThroughput] =
            (container.Offer.Autoscale ? Offer.SmallestAutoscale : Offer.Smallest).ToString(CultureInfo.InvariantCulture);
        return ResourceFeed.WriteOneAsync(context, 200, charge, Etag(container), container, Write);
    }

    private static string Etag(ContainerResource container) => $"\"{container.OfferRid}-{container.Revision}\"";

    private static void Write(Utf8JsonWriter writer, ContainerResource container)
    {
        writer.WriteStartObject();
        writer.WriteString("offerVersion", "V2");
        writer.WriteString("offerType", "Invalid");
        container.Offer.WriteTo(writer);
        writer.WriteString("resource", container.SelfLink);
        writer.WriteString("offerResourceId", container.Rid);
        writer.WriteString("id", container.OfferRid);
        writer.WriteString("_rid", container.OfferRid);
        writer.WriteString("_self", $"offers/{container.OfferRid}/");
        writer.WriteString("_etag", Etag(container));
        writer.WriteNumber("_ts", container.TimestampSeconds);
        writer.WriteEndObject();
    }
}
