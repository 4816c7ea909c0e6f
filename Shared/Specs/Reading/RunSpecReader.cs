namespace ScaleOut.Specs.Reading;

/// <summary>
/// Reads specs and returns all their errors together. A field that is null counts as left out. Never throws, whatever the spec.
/// </summary>
public static class RunSpecReader
{
    /// <inheritdoc cref="SpecReader{T}.ReadText"/>
    public static ReadResult<RunSpec> Read(string text, RunTarget target = RunTarget.Undecided, Action<JsonObject>? edit = null) =>
        Reader(target).ReadText(text, edit);

    public static ReadResult<RunSpec> Read(JsonElement json, RunTarget target = RunTarget.Undecided) => Reader(target).ReadValue(json);

    public static ReadResult<RunSpec> Read(JsonObject json, RunTarget target = RunTarget.Undecided) => Reader(target).ReadValue(json);

    /// <summary>Validates a spec that was built in code by the same rules.</summary>
    /// <returns>The spec with the defaults in place of null lists and objects.</returns>
    public static ReadResult<RunSpec> Check(RunSpec spec, RunTarget target = RunTarget.Undecided) => Reader(target).ReadValue(spec);

    public static JsonObject Schema() => SpecSchema.Create<RunSpec>();

    private static SpecReader<RunSpec> Reader(RunTarget target) =>
        new("a spec", (spec, context) => new RunSpecRules(spec, target, context).Check());
}
