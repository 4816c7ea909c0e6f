namespace ScaleOut.DevBox.Commands;

/// <summary>The spec and the options that override its fields, as <c>run</c> and <c>validate</c> take them.</summary>
internal sealed class SpecOptions
{
    private static readonly RunSpec Defaults = new();

    private readonly Argument<string?> _file = new("spec.json")
    {
        Description = $"The spec to run; without it the defaults: {ConsoleNumbers.Count(Defaults.Documents)} inserts by {Defaults.Workers} "
            + $"workers at {ConsoleNumbers.Count(Defaults.Container.Throughput)} RU/s.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly IReadOnlyList<SpecOption> _options =
    [
        new("--documents", "documents"),
        new("--workers", "workers"),
        new("--mode", "client.connectionMode"),
        new("--concurrency", "client.concurrency"),
        new("--rate", "client.rate"),
        new("--ru-rate", "workload.requestUnitRate", "RU/s"),
        new("--max-ru-share", "workload.maxRequestUnitShare", "share"),
        new("--cores", "client.cores"),
        new("--workload", "workload.kind"),
        new("--preload", "workload.preload"),
        new("--of-run", "workload.ofRun", "run id"),
        new("--query", "workload.query.text", about: "The query of --workload query."),
        new("--query-key", "workload.query.partitionKey"),
        new("--query-concurrency", "workload.query.maxConcurrency"),
        new("--document", "document.kind"),
        new("--csv", "document.csv", "file"),
        new("--key-column", "document.keyColumn", "column"),
        new("--on-broken-row", "document.onBrokenRow"),
        new("--batch-size", "workload.batchSize"),
        new("--indexing", "container.indexing"),
        new("--throughput", "container.throughput", "RU/s"),
        new("--partitions", "simulation.physicalPartitions"),
        new("--latency", "simulation.latency"),
        new("--container", "container.name", "id"),
        new("--id", "id", "run id"),
        new("--seed", "seed"),
    ];

    private readonly ProfileOption _profile = new();

    public void AddTo(Command command)
    {
        command.Arguments.Add(_file);
        foreach (var option in _options)
            command.Options.Add(option);
        command.Options.Add(_profile);
    }

    /// <summary>The spec's file; null when none is given.</summary>
    public string? File(CommandInput input) => input.Value(_file);

    /// <summary>Names of the options that are given.</summary>
    public IReadOnlyList<string> Given(CommandInput input) =>
        [.. _options.Append<Option<string?>>(_profile).Where(option => input.Value(option) is not null).Select(option => option.Name)];

    /// <summary>Reads the spec with the options over it.</summary>
    /// <exception cref="InputException">All that is wrong with it; of a spec that cannot be read, also all that is wrong with the
    /// options.</exception>
    public async Task<RunSpec> ReadAsync(CommandInput input, RunTarget target, CancellationToken cancellationToken)
    {
        var errors = new ErrorCollector([]);
        var given = _options.Where(option => input.Value(option) is not null).ToList();
        var edited = false;
        var profile = await errors.TryAsync(() => _profile.ReadAsync(input, target, cancellationToken));
        void Edit(JsonObject fields)
        {
            edited = true;
            StoredItem.RemoveHead(fields);
            if (profile is not null)
                ProfileSimulation.Apply(fields, profile);
            foreach (var option in given)
                SpecEdit.Set(fields, option.Path, option.ValueOf(input.Value(option)!));
        }

        var file = input.Value(_file);
        var text = file is null ? "{}" : await errors.TryAsync(() => InputFile.ReadAsync(file, "spec file", cancellationToken));
        if (file is not null && text is not null && ExperimentSpecReader.IsExperiment(text))
        {
            errors.Add([$"{file}: this is the spec of an experiment, not of a run; run it with: experiment {file}"]);
            text = null;
        }

        var reading = text is null ? null : RunSpecReader.Read(text, target, Edit);
        errors.Add(reading?.Errors.Select(error => Describe(error, file, given)) ?? []);
        if (!edited)
            errors.Add(SpecOption.ErrorsOf(given, RunSpecReader.Read("{}", target, Edit).Errors));
        errors.ThrowIfAny();

        var spec = WithFilesOf(reading!.Value!, file, given);
        errors.Add(MachineChecks.ErrorsOf(spec, target).Select(error => Describe(error, file, given)));
        errors.ThrowIfAny();
        return spec;
    }

    /// <summary>Paths in a spec file are relative to it, as paths in options are to the current folder.</summary>
    private static RunSpec WithFilesOf(RunSpec spec, string? file, IEnumerable<SpecOption> given)
    {
        if (spec.Document.Csv is not { } csv)
            return spec;
        var folder = file is null || given.Any(option => option.Path == "document.csv") ? "" : Path.GetDirectoryName(file) ?? "";
        return spec with { Document = spec.Document with { Csv = Path.GetFullPath(Path.Combine(folder, csv)) } };
    }

    private static string Describe(ValidationError error, string? file, IEnumerable<SpecOption> given)
    {
        var sources = SpecOption.SourcesOf(error, given);
        return sources is not null ? $"{error} ({sources})"
            : file is null ? error.ToString()
            : $"{file}: {error}";
    }
}

/// <summary>Reads files that a user names.</summary>
internal static class InputFile
{
    private const long MaxBytes = 256L << 20;

    /// <summary>A price file's prices.</summary>
    /// <exception cref="InputException">It cannot be read, or is wrong.</exception>
    public static async Task<PriceList> ReadPricesAsync(string file, CancellationToken cancellationToken)
    {
        var reading = PriceList.Read(await ReadAsync(file, "price file", cancellationToken));
        return reading.Value ?? throw new InputException([.. reading.Errors.Select(error => $"{file}: {error}")]);
    }

    /// <summary>The file's text.</summary>
    /// <param name="kind">What it should be, such as <c>spec file</c>.</param>
    /// <exception cref="InputException">It cannot be read.</exception>
    public static async Task<string> ReadAsync(string file, string kind, CancellationToken cancellationToken)
    {
        if (Directory.Exists(file))
            throw new InputException($"{file}: a folder, not a {kind}.");
        try
        {
            if (RegularFile.WhyUnreadable(file, MaxBytes) is { } reason)
                throw new InputException($"{file}: the {kind} {reason}.");
            return await File.ReadAllTextAsync(file, cancellationToken);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new InputException($"{file}: there is no such {kind}.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new InputException($"{file}: the {kind} cannot be read: {OneLine.From(e.Message)}");
        }
    }
}
