namespace ScaleOut.DevBox.Commands;

/// <summary>The spec of an experiment and the options that override its fields.</summary>
internal sealed class ExperimentOptions
{
    private readonly Argument<string> _file = new("experiment.json")
    {
        Description = "The spec of the experiment, such as plans/scale-out.json.",
    };

    private readonly IReadOnlyList<SpecOption> _options =
    [
        new("--scale", "scale", "share"),
        new("--repeats", "repeats"),
        new(
            "--id",
            "id",
            "id",
            "The experiment's id (default: made from the time). The same id goes on with an experiment that was interrupted."),
    ];

    private readonly ProfileOption _profile = new();

    public void AddTo(Command command)
    {
        command.Arguments.Add(_file);
        foreach (var option in _options)
            command.Options.Add(option);
        command.Options.Add(_profile);
    }

    /// <summary>Reads the spec with the options over it; null when the command line names none.</summary>
    /// <exception cref="InputException">All that is wrong with it; of a spec that cannot be read, and of one that is not named, all that is
    /// wrong with the options.</exception>
    public async Task<ExperimentSpec?> ReadAsync(CommandInput input, RunTarget target, CancellationToken cancellationToken)
    {
        var errors = new ErrorCollector([]);
        var given = _options.Where(option => input.Value(option) is not null).ToList();
        var edited = false;
        var profile = await errors.TryAsync(() => _profile.ReadAsync(input, target, cancellationToken));
        void Edit(JsonObject fields)
        {
            edited = true;
            if (profile is not null && fields["base"] is JsonObject run)
                ProfileSimulation.Apply(run, profile);
            foreach (var option in given)
                SpecEdit.Set(fields, option.Path, option.ValueOf(input.Value(option)!));
        }

        // Without a file there is an error of the command line already.
        var file = input.Value(_file);
        var text = file is null ? null : await errors.TryAsync(() => InputFile.ReadAsync(file, "spec file", cancellationToken));
        if (text is not null && ExperimentSpecReader.IsRun(text))
        {
            errors.Add([$"{file}: this is the spec of a run, not of an experiment; run it with: run {file}"]);
            text = null;
        }

        var spec = text is null ? null : errors.Try(() => Read(text, file!, target, Edit, given));
        if (!edited)
            errors.Add(SpecOption.ErrorsOf(given, ExperimentSpecReader.Read("{}", target, Edit).Errors));
        errors.ThrowIfAny();
        return spec;
    }

    /// <summary>
    /// Reads the spec of an experiment, and what its runs need of this machine; every error names the file, or the option that it came
    /// from.
    /// </summary>
    /// <exception cref="InputException">All that is wrong with it.</exception>
    public static ExperimentSpec Read(
        string text, string file, RunTarget target, Action<JsonObject>? edit = null, IReadOnlyList<SpecOption>? given = null)
    {
        var reading = ExperimentSpecReader.Read(text, target, edit);
        var errors = reading.Value is null ? reading.Errors : MachineChecks.ErrorsOf(reading.Value, target);
        return errors.Count == 0
            ? reading.Value!
            : throw new InputException([.. errors.Select(error => Describe(error, file, given ?? []))]);
    }

    private static string Describe(ValidationError error, string file, IReadOnlyList<SpecOption> given) =>
        SpecOption.SourcesOf(error, given) is { } sources ? $"{error} ({sources})" : $"{file}: {error}";
}
