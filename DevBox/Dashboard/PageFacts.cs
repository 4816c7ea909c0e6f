using ScaleOut.Analysis.Reports.Building;

namespace ScaleOut.DevBox.Dashboard;

/// <summary>What the page shows and others decide, so that it repeats no figure: <c>facts.js</c> reads it.</summary>
internal static class PageFacts
{
    /// <summary>
    /// <c>fields</c>: defaults and names of a spec's fields by path, as its schema has them. <c>partitionShare</c>: share of its RU/s from
    /// which a partition counts as at its limit.
    /// </summary>
    public static JsonObject Create()
    {
        var fields = new JsonObject();
        Add(fields, RunSpecReader.Schema(), "");
        var experiment = ExperimentSpecReader.Schema()["properties"]!;
        Add(fields, experiment["limit"]!.AsObject(), "limit.");
        fields["repeats"] = Fact(experiment["repeats"]!);
        return new JsonObject { ["fields"] = fields, ["partitionShare"] = BoundByRule.PartitionShare };
    }

    private static void Add(JsonObject fields, JsonObject schema, string path)
    {
        foreach (var (name, field) in schema["properties"]?.AsObject() ?? [])
        {
            if (Fact(field!) is { Count: > 0 } fact)
                fields[path + name] = fact;
            Add(fields, field!.AsObject(), $"{path}{name}.");
        }
    }

    private static JsonObject Fact(JsonNode field)
    {
        var fact = new JsonObject();
        if (field["default"] is JsonValue value)
            fact["default"] = value.DeepClone();
        if (field["anyOf"]?[0]?["enum"] is { } names)
            fact["names"] = names.DeepClone();
        return fact;
    }
}
