namespace ScaleOut.DevBox.Commands;

/// <summary>The spec and the options that override its fields, as <c>run</c> and <c>validate</c> take them.</summary>
/// <param name="anyAccount">
/// Whether a spec without simulation is valid if only a real account could hold its documents, although none is named.
/// </param>
/// <param name="except">Names of the kinds of operations that the command rejects.</param>
internal sealed class SpecOptions(bool anyAccount = false, params IReadOnlyList<string> except) : SpecFileOptions<RunSpec>(
    new("spec.json")
    {
        Description = $"The spec to run; without it the defaults: {Numbers.Count(Defaults.Documents)} inserts by {Defaults.Workers} "
            + $"workers at {Numbers.Count(Defaults.Container.Throughput)} RU/s.",
        Arity = ArgumentArity.ZeroOrOne,
    },
    [
        new("--documents", "documents"),
        new("--workers", "workers"),
        new("--mode", "client.connectionMode"),
        new("--concurrency", "client.concurrency"),
        new("--rate", "client.rate"),
        new("--ru-rate", "workload.requestUnitRate", "RU/s"),
        new("--max-ru-share", "workload.maxRequestUnitShare", "share"),
        new("--cores", "client.cores"),
        new("--workload", "workload.kind") { Except = except },
        new("--preload", "workload.preload"),
        new("--of-run", "workload.ofRun", "run id"),
        new("--query", "workload.query.text", about: "The query of --workload query."),
        new("--query-key", "workload.query.partitionKey"),
        new("--query-concurrency", "workload.query.maxConcurrency"),
        new DocumentOption(),
        new CsvOption(),
        new("--key-column", "document.keyColumn", "column"),
        new("--on-broken-row", "document.onBrokenRow"),
        new("--batch-size", "workload.batchSize"),
        new PartitionKeyOption(),
        new("--indexing", "container.indexing"),
        new("--throughput", "container.throughput", "RU/s"),
        new("--partitions", "simulation.physicalPartitions"),
        new("--latency", "simulation.latency"),
        new("--container", "container.name", "id"),
        new("--database", "container.database", "name"),
        new("--id", "id", "run id"),
        new("--seed", "seed"),
    ])
{
    private static readonly RunSpec Defaults = new();

    protected override string TextWithoutFile => "{}";

    protected override string? MistakenFor(string text, string file) =>
        ExperimentSpecReader.IsExperiment(text)
            ? $"this is the spec of an experiment, not of a run; run it with: {CommandLineText.From(["experiment", file])}"
        : ExperimentSpecReader.IsDocument(text) ? DocumentOption.MistakenFor(file)
        : null;

    protected override JsonObject? PhysicsIn(JsonObject spec) => spec;

    protected override ReadResult<RunSpec> Read(string text, RunTarget target, Action<JsonObject> edit) =>
        RunSpecReader.Read(text, target, edit);

    protected override void Check(RunSpec spec, IEnumerable<SpecOption> given)
    {
        if (given.OfType<CsvOption>().Any() && given.OfType<DocumentOption>().Any())
            throw new InputException(CsvOption.BesideDocument);
    }

    protected override IReadOnlyList<ValidationError> MachineErrorsOf(RunSpec spec, RunTarget target) =>
        MachineChecks.ErrorsOf(spec, anyAccount && target == RunTarget.SimulatedAccount ? RunTarget.Undecided : target);
}

/// <summary>A spec's file, and the options that override its fields.</summary>
internal abstract class SpecFileOptions<T>(Argument<string?> file, IReadOnlyList<SpecOption> options)
    where T : class
{
    private readonly ProfileOption _profile = new();

    /// <summary>The spec that is read if no file is named. Null if a file is required.</summary>
    protected abstract string? TextWithoutFile { get; }

    public Argument<string?> File => file;

    public IEnumerable<Option> All => [.. options, _profile];

    public IReadOnlyList<string> Given(CommandInput input) =>
        [.. options.Append<Option<string?>>(_profile).Where(option => input.Value(option) is not null).Select(option => option.Name)];

    /// <summary>Reads the spec and applies the options to it. Null if the command line names no spec although one is needed.</summary>
    /// <exception cref="InputException">
    /// The spec is invalid; the exception has all errors. If the spec cannot be read or is not named, it has all errors of the options.
    /// </exception>
    public async Task<T?> ReadAsync(CommandInput input, RunTarget target, CancellationToken cancellationToken)
    {
        var errors = new ErrorCollector([]);
        var given = options.Where(option => input.Value(option) is not null).ToList();
        var edited = false;
        var name = input.Value(file);
        var profile = await errors.TryAsync(() => _profile.ReadAsync(input, target, cancellationToken));
        var values = new List<JsonObject>();
        foreach (var option in given)
            values.Add(await errors.TryAsync(() => option.FieldsAsync(input.Value(option)!, cancellationToken)) ?? []);
        void Edit(JsonObject fields)
        {
            edited = true;
            StoredItem.RemoveHead(fields);
            CsvPaths.Resolve(fields, name);
            if (profile is not null && PhysicsIn(fields) is { } run)
                ProfileSimulation.Apply(run, profile);
            values.ForEach(one => SpecEdit.SetAll(fields, one));
            // What is still relative came from an option.
            CsvPaths.Resolve(fields, file: null);
        }

        var text = name is null ? TextWithoutFile : await errors.TryAsync(() => InputFile.ReadAsync(name, "spec file", cancellationToken));
        if (name is not null && text is not null && MistakenFor(text, name) is { } other)
        {
            errors.Add([$"{name}: {other}"]);
            text = null;
        }

        var reading = text is null ? null : Read(text, target, Edit);
        errors.Add(reading?.Errors.Select(error => SpecOption.Describe(error, name, given)) ?? []);
        if (!edited)
            errors.Add(SpecOption.ErrorsOf(given, Read("{}", target, Edit).Errors));
        errors.ThrowIfAny();
        if (reading?.Value is not { } spec)
            return null;

        Check(spec, given);
        errors.Add(MachineErrorsOf(spec, target).Select(error => SpecOption.Describe(error, name, given)));
        errors.ThrowIfAny();
        return spec;
    }

    /// <summary>
    /// Describes a text that is another kind of file than this spec, with the command for it. Null if it is this kind of spec.
    /// </summary>
    protected abstract string? MistakenFor(string text, string file);

    /// <summary>The spec of a run whose physics a profile sets; null if there is none.</summary>
    protected abstract JsonObject? PhysicsIn(JsonObject spec);

    protected abstract ReadResult<T> Read(string text, RunTarget target, Action<JsonObject> edit);

    /// <exception cref="InputException">The options that are given do not fit the spec.</exception>
    protected virtual void Check(T spec, IEnumerable<SpecOption> given)
    {
    }

    /// <summary>What the spec needs that this machine does not have.</summary>
    protected abstract IReadOnlyList<ValidationError> MachineErrorsOf(T spec, RunTarget target);
}

/// <summary>Paths of CSV files in a spec file are relative to it, as paths in options are to the current folder.</summary>
internal static class CsvPaths
{
    /// <summary>Makes the paths in the spec of a run or of an experiment absolute.</summary>
    /// <param name="file">The spec's file; null for paths that are relative to the current folder.</param>
    public static void Resolve(JsonObject spec, string? file)
    {
        var changes = (spec["variants"] as JsonArray ?? []).Select(variant => (variant as JsonObject)?["change"]);
        foreach (var run in changes.Append(spec).Append(spec["base"]))
        {
            if ((run as JsonObject)?["document"] is JsonObject document && document["csv"] is JsonValue csv
                && csv.TryGetValue<string>(out var path) && path.Length > 0 && !path.Contains('\0', StringComparison.Ordinal))
                document["csv"] = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file) ?? "", path));
        }
    }
}
