namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>
/// Reads specs of experiments and names everything that is wrong with them at once. A field that is null counts as left out. Invalid text
/// does not cause an exception.
/// </summary>
public static class ExperimentSpecReader
{
    /// <summary>Fields that the spec of a run does not have.</summary>
    private static readonly string[] OwnFields = ["variants", "base", "limit"];

    private static readonly string[] RunFields =
        ["documents", "workers", "workload", "document", "client", "workerOverrides", "container", "simulation"];

    /// <summary>Reads a spec's text.</summary>
    /// <inheritdoc cref="SpecReader{T}.ReadText"/>
    public static ReadResult<ExperimentSpec> Read(
        string json, RunTarget target = RunTarget.Undecided, Action<JsonObject>? edit = null) => Reader(target).ReadText(json, edit);

    /// <summary>
    /// Whether a spec's text is meant to be an experiment rather than a run: a JSON object with variants, a base or a limit.
    /// </summary>
    public static bool IsExperiment(string json) =>
        SpecJson.Parse(json, new ReadingContext()) is JsonObject root && OwnFields.Any(root.ContainsKey);

    /// <summary>
    /// Whether a spec's text is meant to be a run: a JSON object with fields that only runs have, and none of an experiment's.
    /// </summary>
    public static bool IsRun(string json) =>
        SpecJson.Parse(json, new ReadingContext()) is JsonObject root
            && !OwnFields.Any(root.ContainsKey)
            && RunFields.Any(root.ContainsKey);

    /// <summary>
    /// Whether a text is a document rather than a spec: a JSON object with unknown fields that are not misspelled fields of a spec, and
    /// without fields that only a run or an experiment has.
    /// </summary>
    public static bool IsDocument(string json)
    {
        if (SpecJson.Parse(json, new ReadingContext()) is not JsonObject root || OwnFields.Concat(RunFields).Any(root.ContainsKey))
            return false;
        var known = new[] { typeof(RunSpec), typeof(ExperimentSpec) }.SelectMany(type => type.GetProperties())
            .Select(property => JsonNamingPolicy.CamelCase.ConvertName(property.Name)).ToHashSet();
        var others = root.Select(field => field.Key).Where(name => !name.StartsWith('$') && !known.Contains(name)).ToList();
        return others.Count > 0 && others.All(name => NearestName.From(name, known) is null);
    }

    /// <summary>The JSON schema: an experiment has variants or a limit.</summary>
    public static JsonObject Schema()
    {
        var schema = SpecSchema.Create<ExperimentSpec>();
        schema["anyOf"] = new JsonArray
        {
            new JsonObject { ["required"] = new JsonArray("variants") },
            new JsonObject
            {
                ["required"] = new JsonArray("limit"),
                ["properties"] = new JsonObject { ["limit"] = new JsonObject { ["type"] = "object" } },
            },
        };
        return schema;
    }

    private static SpecReader<ExperimentSpec> Reader(RunTarget target) => new(
        "the spec of an experiment", (spec, context) => new ExperimentSpecRules(spec, target, context).Check(), LeaveOutNoVariants);

    /// <summary>Removes an empty list of variants from the spec of a search: the field must be absent or have variants.</summary>
    private static void LeaveOutNoVariants(JsonObject spec)
    {
        if (spec["limit"] is JsonObject && spec["variants"] is JsonArray { Count: 0 })
            spec.Remove("variants");
    }
}
