namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>The JSON schema of specs of experiments.</summary>
internal static class ExperimentSpecSchema
{
    public static JsonObject Create()
    {
        var schema = new JsonObject
        {
            ["$schema"] = "http://json-schema.org/draft-07/schema#",
            ["title"] = "Spec of an experiment",
            ["description"] = "Variants of a run, their repeats, and the findings to test. Rules that span several fields are checked when "
                + "the spec is read.",
        };
        new SchemaValue(schema, optional: false).Nested(ExperimentSpecFields.Read);
        schema["anyOf"] = new JsonArray
        {
            new JsonObject { ["required"] = new JsonArray("variants") },
            new JsonObject
            {
                ["required"] = new JsonArray("limit"),
                ["properties"] = new JsonObject { ["limit"] = new JsonObject { ["type"] = "object" } },
            },
        };
        var properties = schema["properties"]!.AsObject();
        foreach (var (name, value) in JsonSerializer.SerializeToNode(new ExperimentSpec(), ScaleOutJson.Compact)!.AsObject())
        {
            // Base and variants have no default that an editor could offer.
            if (value is JsonValue && properties[name] is JsonObject property)
                property["default"] = value.DeepClone();
        }

        RunSpecSchema.AddDefaults(properties["limit"]!.AsObject(), new LimitSpec());
        return schema;
    }
}
