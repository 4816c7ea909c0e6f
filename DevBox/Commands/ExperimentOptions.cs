namespace ScaleOut.DevBox.Commands;

/// <summary>The spec of an experiment and the options that override its fields.</summary>
internal sealed class ExperimentOptions() : SpecFileOptions<ExperimentSpec>(
    new("experiment.json") { Description = "The spec of the experiment, such as plans/scale-out.json.", Arity = ArgumentArity.ExactlyOne },
    [
        new("--scale", "scale", "share"),
        new("--repeats", "repeats"),
        new("--database", "base.container.database", "name"),
        new(
            "--id", "id", "id",
            "The experiment's id (default: made from the time). The same id goes on with an experiment that was interrupted."),
    ])
{
    // If there is no file, the command line has an error already.
    protected override string? TextWithoutFile => null;

    protected override string? MistakenFor(string text, string file) =>
        ExperimentSpecReader.IsRun(text)
            ? $"this is the spec of a run, not of an experiment; run it with: {CommandLineText.From(["run", file])}"
        : ExperimentSpecReader.IsDocument(text) ? DocumentOption.MistakenFor(file)
        : null;

    protected override JsonObject? PhysicsIn(JsonObject spec) => spec["base"] as JsonObject;

    protected override ReadResult<ExperimentSpec> Read(string text, RunTarget target, Action<JsonObject> edit) =>
        ExperimentSpecReader.Read(text, target, edit);

    /// <summary>Rejects a scale that makes a run so short that its figures are mostly its start.</summary>
    protected override void Check(ExperimentSpec spec, IEnumerable<SpecOption> given)
    {
        if (given.Any(option => option.Path == "scale") && ExperimentScaleCheck.ErrorOf(spec) is { } error)
            throw new InputException($"--scale: {error}");
    }

    protected override IReadOnlyList<ValidationError> MachineErrorsOf(ExperimentSpec spec, RunTarget target) =>
        MachineChecks.ErrorsOf(spec, target);

    /// <summary>Reads the spec of an experiment. Every error names the file, or the option that it came from.</summary>
    /// <exception cref="InputException">The spec is invalid; the exception has all errors.</exception>
    public static ExperimentSpec Read(
        string text, string file, RunTarget target, Action<JsonObject>? edit = null, IReadOnlyList<SpecOption>? given = null)
    {
        var reading = ExperimentSpecReader.Read(text, target, fields =>
        {
            CsvPaths.Resolve(fields, file);
            edit?.Invoke(fields);
        });
        return reading.Value ?? throw Invalid(reading.Errors, file, given);
    }

    /// <exception cref="InputException">It cannot; the exception has all errors.</exception>
    public static void CheckMachine(ExperimentSpec spec, string file, RunTarget target, IReadOnlyList<SpecOption>? given = null)
    {
        if (MachineChecks.ErrorsOf(spec, target) is { Count: > 0 } errors)
            throw Invalid(errors, file, given);
    }

    private static InputException Invalid(IEnumerable<ValidationError> errors, string file, IReadOnlyList<SpecOption>? given) =>
        new([.. errors.Select(error => SpecOption.Describe(error, file, given ?? []))]);
}
