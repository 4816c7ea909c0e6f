namespace ScaleOut.Specs.Reading;

/// <summary>
/// Reads specs and names everything that is wrong with them at once. A field that is null counts as left out.
/// No spec, however broken, makes it throw.
/// </summary>
public static class RunSpecReader
{
    /// <summary>Reads a spec's text.</summary>
    /// <param name="target">Where the run goes.</param>
    /// <param name="edit">Changes the spec's fields before they are read (see <see cref="SpecEdit"/>); not called for text that is no JSON
    /// object.</param>
    public static ReadResult<RunSpec> Read(string text, RunTarget target = RunTarget.Undecided, Action<JsonObject>? edit = null)
    {
        var context = new ReadingContext();
        var root = PlanText.Parse(text, context);
        if (context.IsInvalid(""))
            return new(null, context.Errors);

        if (root is JsonObject fields)
            edit?.Invoke(fields);
        return Read(PlanElement.From(root, context), target, context);
    }

    /// <summary>Reads a spec that is JSON already.</summary>
    public static ReadResult<RunSpec> Read(JsonElement json, RunTarget target = RunTarget.Undecided)
    {
        var context = new ReadingContext();
        var root = json.ValueKind == JsonValueKind.Undefined ? null : PlanText.Copy(json, "", context);
        return Read(PlanElement.From(root, context), target, context);
    }

    /// <summary>Reads a spec that is JSON already.</summary>
    public static ReadResult<RunSpec> Read(JsonObject json, RunTarget target = RunTarget.Undecided)
    {
        return ReadValue(json, target);
    }

    /// <summary>Validates a spec that was built in code, as if it had been read.</summary>
    /// <returns>The spec as it reads back: with the defaults in place of null lists and parts.</returns>
    public static ReadResult<RunSpec> Check(RunSpec spec, RunTarget target = RunTarget.Undecided)
    {
        return ReadValue(spec, target);
    }

    /// <summary>The JSON schema of specs, made by the same code that reads them; what spans several fields is not in it.</summary>
    public static JsonObject Schema() => RunSpecSchema.Create();

    private static ReadResult<RunSpec> ReadValue<T>(T value, RunTarget target)
    {
        var context = new ReadingContext();
        var element = PlanElement.From(value, context);
        if (element is { } valid)
        {
            var root = PlanText.Copy(valid, "", context);
            element = PlanElement.From(root, context);
        }

        return Read(element, target, context);
    }

    private static ReadResult<RunSpec> Read(JsonElement? json, RunTarget target, ReadingContext context)
    {
        if (json is not { } element)
            return new(null, context.Errors);
        if (element.ValueKind != JsonValueKind.Object)
        {
            context.Add("", $"a spec is a JSON object, not {ErrorText.From(element)}");
            return new(null, context.Errors);
        }

        var spec = new ReadingValue(element, "", context).Nested(RunSpecFields.Read)!;
        new RunSpecRules(spec, target, context).Check();
        return context.Result(spec);
    }
}
