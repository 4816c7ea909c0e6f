using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Databases: <c>dbs</c> and <c>dbs/{name}</c>.</summary>
internal static class DatabaseEndpoint
{
    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        bool isFeed = context.Target.Kind == ResourceKind.Databases;
        switch (context.Target.Method)
        {
            case "GET" when isFeed:
            case "POST" when isFeed && ResourceFeed.IsQuery(context):
                return ResourceFeed.WriteAsync(context, "", "Databases", context.Account.Catalog.Databases, Write);
            case "POST" when isFeed:
                return CreateAsync(context);
            case "GET":
                DatabaseResource database = ResourceLookup.Database(context, asOwner: false);
                return ResourceFeed.WriteOneAsync(context, 200, RequestCharges.MetadataRead, Etag(database), database, Write);
            case "DELETE" when !isFeed:
                context.Account.Catalog.DeleteDatabase(ResourceLookup.Database(context, asOwner: false));
                context.SetCharge(RequestCharges.MetadataWrite);
                return context.WriteAsync(204);
            default:
                throw new RequestException(405, 0, "The method is not allowed on this path.");
        }
    }

    private static ValueTask CreateAsync(GatewayExchange context)
    {
        if (context.Header(GatewayHeaders.OfferThroughput) is not null || context.Header(GatewayHeaders.AutopilotSettings) is not null)
            throw RequestException.BadRequest("Throughput shared by a database's containers is not simulated; give it to each container.");
        string name;
        try
        {
            using JsonDocument document = JsonDocument.Parse(context.Body);
            name = ResourceNames.Read(document.RootElement);
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            throw RequestException.BadRequest("The request payload is invalid. Ensure to provide a valid request payload.");
        }

        DatabaseResource database = context.Account.Catalog.CreateDatabase(name);
        return ResourceFeed.WriteOneAsync(context, 201, RequestCharges.MetadataWrite, Etag(database), database, Write);
    }

    private static string Etag(DatabaseResource database) => $"\"{database.Rid}\"";

    /// <summary>Writes the database as every front end shows it.</summary>
    public static void Write(Utf8JsonWriter writer, DatabaseResource database)
    {
        writer.WriteStartObject();
        writer.WriteString("id", database.Name);
        writer.WriteString("_rid", database.Rid);
        writer.WriteString("_self", $"dbs/{database.Rid}/");
        writer.WriteString("_etag", Etag(database));
        writer.WriteString("_colls", "colls/");
        writer.WriteString("_users", "users/");
        writer.WriteNumber("_ts", database.TimestampSeconds);
        writer.WriteEndObject();
    }
}
