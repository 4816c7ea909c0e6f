using System.Buffers;
using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Lists of databases, containers and offers, whole or filtered by a query, always on one page.</summary>
internal static class ResourceFeed
{
    /// <summary>Whether the request is a query over the list rather than a creation in it.</summary>
    public static bool IsQuery(GatewayExchange context) => context.Flag(GatewayHeaders.IsQuery);

    public static ValueTask WriteAsync<T>(GatewayExchange context, string rid, string property, IEnumerable<T> resources, Action<Utf8JsonWriter, T> write)
    {
        ParsedQuery query = IsQuery(context) ? QueryParser.ParseRequest(context.Body) : ParsedQuery.Everything;
        int count = Write(context.Output, query, rid, property, resources, write);
        context.SetCharge(RequestCharges.MetadataRead);
        context.ResponseHeaders[GatewayHeaders.ItemCount] = count.ToString(CultureInfo.InvariantCulture);
        return context.WriteAsync(200);
    }

    /// <summary>Writes the page as every front end shows it; the number of resources on it.</summary>
    /// <exception cref="QueryException">The query is no SELECT *.</exception>
    public static int Write<T>(IBufferWriter<byte> output, ParsedQuery query, string rid, string property, IEnumerable<T> resources, Action<Utf8JsonWriter, T> write)
    {
        if (query.Projection != QueryProjection.Documents)
            throw new QueryException("Only SELECT * is simulated here.");
        int count = 0;
        using var writer = new Utf8JsonWriter(output);
        writer.WriteStartObject();
        writer.WriteString("_rid", rid);
        writer.WriteStartArray(property);
        var one = new ArrayBufferWriter<byte>();
        foreach (T resource in resources)
        {
            one.ResetWrittenCount();
            using (var item = new Utf8JsonWriter(one))
                write(item, resource);
            if (query.Matches(one.WrittenSpan))
            {
                count++;
                writer.WriteRawValue(one.WrittenSpan);
            }
        }

        writer.WriteEndArray();
        writer.WriteNumber("_count", count);
        writer.WriteEndObject();
        return count;
    }

    /// <summary>Answers with one resource.</summary>
    public static ValueTask WriteOneAsync<T>(GatewayExchange context, int status, RequestUnits charge, string etag, T resource, Action<Utf8JsonWriter, T> write)
    {
        using (var writer = new Utf8JsonWriter(context.Output))
            write(writer, resource);
        context.SetCharge(charge);
        context.ResponseHeaders.ETag = etag;
        return context.WriteAsync(status);
    }
}
