using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Json;

namespace ScaleOut.Specs.Reading;

/// <summary>The JSON schema of specs.</summary>
public static class RunSpecSchema
{
    internal static JsonObject Create()
    {
        var schema = new JsonObject
        {
            // The latest version that common editors fully support.
            ["$schema"] = "http://json-schema.org/draft-07/schema#",
            ["title"] = "Spec of a run",
            ["description"] = "Workers write documents to one container. Rules that span several fields are checked when the spec is read.",
        };
        new SchemaValue(schema, optional: false).Nested(RunSpecFields.Read);
        AddDefaults(schema, new RunSpec());
        return schema;
    }

    /// <summary>Gives the fields of a schema the values that a record has by itself: the defaults are written nowhere else.</summary>
    public static void AddDefaults<T>(JsonObject schema, T record) =>
        AddDefaults(schema, JsonSerializer.SerializeToNode(record, ScaleOutJson.Compact)!.AsObject());

    private static void AddDefaults(JsonObject schema, JsonObject defaults)
    {
        var properties = schema["properties"]!.AsObject();
        foreach (var (name, value) in defaults)
        {
            var property = properties[name]!.AsObject();
            if (value is JsonObject inner)
                AddDefaults(property, inner);
            else if (value is not null)
                property["default"] = value.DeepClone();
        }
    }
}
