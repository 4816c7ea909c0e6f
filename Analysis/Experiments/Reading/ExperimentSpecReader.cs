namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>
/// Reads specs of experiments and names everything that is wrong with them at once. A field that is null counts as left out.
/// No text, however broken, makes it throw.
/// </summary>
public static class ExperimentSpecReader
{
    /// <summary>Fields that the spec of a run does not have.</summary>
    private static readonly string[] OwnFields = ["variants", "base", "limit"];

    /// <summary>Fields that the spec of an experiment does not have.</summary>
    private static readonly string[] RunFields =
        ["documents", "workers", "workload", "document", "client", "workerOverrides", "container", "simulation"];

    /// <summary>Reads a spec's text.</summary>
    /// <param name="target">Where the runs go.</param>
    /// <param name="edit">Changes the spec's fields before they are read (see <see cref="SpecEdit"/>); not called for text that is no JSON
    /// object.</param>
    public static ReadResult<ExperimentSpec> Read(string json, RunTarget target = RunTarget.Undecided, Action<JsonObject>? edit = null)
    {
        var context = new ReadingContext();
        var root = PlanText.Parse(json, context);
        if (context.IsInvalid(""))
            return new(null, context.Errors);
        if (root is JsonObject fields)
            edit?.Invoke(fields);
        return Read(root, target, context);
    }

    /// <summary>Reads a spec that is JSON already.</summary>
    public static ReadResult<ExperimentSpec> Read(JsonElement json, RunTarget target = RunTarget.Undecided)
    {
        var context = new ReadingContext();
        return Read(json.ValueKind == JsonValueKind.Undefined ? null : PlanText.Copy(json, "", context), target, context);
    }

    /// <summary>Validates a spec that was built in code, as if it had been read.</summary>
    public static ReadResult<ExperimentSpec> Check(ExperimentSpec spec, RunTarget target = RunTarget.Undecided)
    {
        var context = new ReadingContext();
        var root = PlanElement.From(spec, context) is { } element ? PlanText.Copy(element, "", context) : null;
        return context.IsInvalid("") ? new(null, context.Errors) : Read(root, target, context);
    }

    /// <summary>
    /// Whether a spec's text is meant to be an experiment rather than a run: a JSON object with variants, a base or a limit.
    /// </summary>
    public static bool IsExperiment(string json)
    {
        return PlanText.Parse(json, new ReadingContext()) is JsonObject root && OwnFields.Any(root.ContainsKey);
    }

    /// <summary>
    /// Whether a spec's text is meant to be a run: a JSON object with fields that only runs have, and none of an experiment's.
    /// </summary>
    public static bool IsRun(string json)
    {
        return PlanText.Parse(json, new ReadingContext()) is JsonObject root
            && !OwnFields.Any(root.ContainsKey)
            && RunFields.Any(root.ContainsKey);
    }

    /// <summary>
    /// The JSON schema of specs of experiments, made by the same code that reads them; what spans several fields is not in it.
    /// </summary>
    public static JsonObject Schema() => ExperimentSpecSchema.Create();

    private static ReadResult<ExperimentSpec> Read(JsonNode? root, RunTarget target, ReadingContext context)
    {
        if (PlanElement.From(root, context) is not { } element)
            return new(null, context.Errors);
        if (root is not JsonObject fieldsOfSpec)
        {
            context.Add("", $"the spec of an experiment is a JSON object, not {ErrorText.From(element)}");
            return new(null, context.Errors);
        }

        // As a search is written: it has no variants.
        if (fieldsOfSpec["limit"] is JsonObject && fieldsOfSpec["variants"] is JsonArray { Count: 0 })
        {
            fieldsOfSpec.Remove("variants");
            element = PlanElement.From(root, context)!.Value;
        }

        var fields = new ReadingValue(element, "", context).Nested(ExperimentSpecFields.Read)!;
        var spec = fields with
        {
            Base = ObjectIn(fieldsOfSpec, "base"),
            Variants =
            [
                .. fields.Variants.Select((variant, i) =>
                    variant is null
                        ? new VariantSpec { Name = "" }
                        : variant with { Change = ObjectIn(fieldsOfSpec["variants"]![i] as JsonObject, "change") })
            ],
        };
        new ExperimentSpecRules(spec, target, context).Check();
        return context.Result(spec);
    }

    private static JsonObject ObjectIn(JsonObject? holder, string name) =>
        holder?[name] is JsonObject found ? found.DeepClone().AsObject() : [];
}
