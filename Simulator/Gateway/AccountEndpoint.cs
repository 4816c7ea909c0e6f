using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The account itself: where it is and what it promises.</summary>
internal static class AccountEndpoint
{
    private const string Region = "Simulated";
    private const int ReplicaSetSize = 4;

    public static ValueTask ProcessAsync(GatewayExchange context)
    {
        if (context.Target.Method != "GET")
            throw new RequestException(405, 0, "The method is not allowed on this path.");
        // Clients send all later requests to this address, so it has to be the one they came to.
        string endpoint = $"{context.Scheme}://{context.RequestHeaders.Host}/";
        using (var writer = new Utf8JsonWriter(context.Output))
            Write(writer, endpoint, context.Account.Consistency.ToString());
        context.SetCharge(RequestCharges.MetadataRead);
        return context.WriteAsync(200);
    }

    private static void Write(Utf8JsonWriter writer, string endpoint, string consistency)
    {
        writer.WriteStartObject();
        writer.WriteString("_self", "");
        writer.WriteString("id", "simulated");
        writer.WriteString("_rid", "simulated.documents");
        writer.WriteString("media", "//media/");
        writer.WriteString("addresses", "//addresses/");
        writer.WriteString("_dbs", "//dbs/");
        WriteLocations(writer, "writableLocations", endpoint);
        WriteLocations(writer, "readableLocations", endpoint);
        writer.WriteBoolean("enableMultipleWriteLocations", false);
        writer.WriteStartObject("userReplicationPolicy");
        writer.WriteBoolean("asyncReplication", false);
        writer.WriteNumber("minReplicaSetSize", ReplicaSetSize - 1);
        writer.WriteNumber("maxReplicasetSize", ReplicaSetSize);
        writer.WriteEndObject();
        writer.WriteStartObject("systemReplicationPolicy");
        writer.WriteNumber("minReplicaSetSize", ReplicaSetSize - 1);
        writer.WriteNumber("maxReplicasetSize", ReplicaSetSize);
        writer.WriteEndObject();
        writer.WriteStartObject("readPolicy");
        writer.WriteNumber("primaryReadCoefficient", 1);
        writer.WriteNumber("secondaryReadCoefficient", 1);
        writer.WriteEndObject();
        writer.WriteStartObject("userConsistencyPolicy");
        writer.WriteString("defaultConsistencyLevel", consistency);
        writer.WriteEndObject();
        writer.WriteString("queryEngineConfiguration", """{"maxSqlQueryInputLength":262144,"maxJoinsPerSqlQuery":5,"maxLogicalAndPerSqlQuery":500,"maxLogicalOrPerSqlQuery":500,"maxUdfRefPerSqlQuery":10,"maxInExpressionItemsCount":16000,"queryMaxInMemorySortDocumentCount":500,"maxQueryRequestTimeoutFraction":0.9,"sqlAllowNonFiniteNumbers":false,"sqlAllowAggregateFunctions":true,"sqlAllowSubQuery":true,"sqlAllowScalarSubQuery":true,"allowNewKeywords":true,"sqlAllowLike":true,"sqlAllowGroupByClause":true,"maxSpatialQueryCells":12,"spatialMaxGeometryPointCount":256,"sqlDisableQueryILOptimization":false,"sqlDisableFilterPlanOptimization":false,"sqlAllowTop":true,"enableSpatialIndexing":true}""");
        writer.WriteEndObject();
    }

    private static void WriteLocations(Utf8JsonWriter writer, string name, string endpoint)
    {
        writer.WriteStartArray(name);
        writer.WriteStartObject();
        writer.WriteString("name", Region);
        writer.WriteString("databaseAccountEndpoint", endpoint);
        writer.WriteEndObject();
        writer.WriteEndArray();
    }
}
