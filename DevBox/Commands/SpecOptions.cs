using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Costs;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.DevBox.Machine;
using ScaleOut.Evidence;
using ScaleOut.Profiles;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;
using ScaleOut.Validation;

namespace ScaleOut.DevBox.Commands;

/// <summary>The spec and the options that override its fields, as <c>run</c> and <c>validate</c> take them.</summary>
internal sealed class SpecOptions
{
    private readonly Argument<string?> _file = new("spec.json")
    {
        Description = "The spec to run; without it the defaults: 1,000,000 inserts by 4 workers at 60,000 RU/s.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly IReadOnlyList<SpecOption> _options =
    [
        new("--documents", "documents", "n", "Documents to write, or operations on those that are there (1 to 1,000,000,000)."),
        new("--workers", "workers", "n", "Worker processes (1 to 1,000)."),
        new("--mode", "client.connectionMode", "Direct|Gateway", "How the clients reach the account."),
        new("--concurrency", "client.concurrency", "n", "Operations in flight per worker (default 20, bulk 1,000)."),
        new("--rate", "client.rate", "n", "Open loop: documents per second and worker (default: a closed loop)."),
        new("--ru-rate", "workload.requestUnitRate", "RU/s", "RU/s that all workers together use at most (default: no such limit)."),
        new(
            "--max-ru-share",
            "workload.maxRequestUnitShare",
            "share",
            "Share of the container's RU/s that they use at most, for a run beside live traffic (above 0 to 1)."),
        new("--cores", "client.cores", "n", "Processor cores that each worker process is bound to (default: all)."),
        new("--workload", "workload.kind", "insert|upsert|bulk|batch|read|query|delete|tableBatch", "What the workers do."),
        new(
            "--preload",
            "workload.preload",
            "n",
            "Documents that reads, queries and deletes choose from (default: as many as --documents)."),
        new("--of-run", "workload.ofRun", "run id", "The run whose documents are in the container of --container.", isText: true),
        new("--query", "workload.query.text", "text", "The query of --workload query.", isText: true),
        new(
            "--query-key",
            "workload.query.partitionKey",
            "text",
            "The one partition key that it asks for, such as {{key}} (default: all partitions).",
            isText: true),
        new(
            "--query-concurrency",
            "workload.query.maxConcurrency",
            "n",
            "Physical partitions that it asks at once: -1 as the SDK likes, 0 one after the other."),
        new("--document", "document.kind", "perfTest|device|flights|template", "Which documents there are; a template is given in a spec."),
        new("--csv", "document.csv", "file", "The rows of --document flights (default: generated ones).", isText: true),
        new(
            "--key-column",
            "document.keyColumn",
            "column",
            "The column of --document flights that is the partition key (default Origin).",
            isText: true),
        new("--on-broken-row", "document.onBrokenRow", "skip|stop", "What becomes of broken rows of --csv (default stop)."),
        new("--batch-size", "workload.batchSize", "n", "Documents per batch (1 to 100)."),
        new("--indexing", "container.indexing", "Consistent|Lazy|None", "Indexing mode of the run's container."),
        new("--throughput", "container.throughput", "RU/s", "Provisioned throughput of the run's container."),
        new(
            "--partitions",
            "simulation.physicalPartitions",
            "n",
            "Physical partitions of the simulated container (default: one per 6,000 RU/s, at most "
            + $"{SimulationSpec.MostPartitionsUnasked})."),
        new("--latency", "simulation.latency", "none|same-region|cross-region", "Latency of the simulated account (default same-region)."),
        new("--container", "container.name", "id", "An existing container, used as it is."),
        new("--id", "id", "run id", "The run's id (default: made from the time)."),
        new("--seed", "seed", "n", "Seed of all that is random in the simulated account."),
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

        var spec = WithFilesOf(reading!.Spec!, file, given);
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

/// <summary>
/// An option that sets one field of the spec. Its text is not judged here but by whoever reads the spec, together with all the rest.
/// </summary>
internal sealed class SpecOption : Option<string?>
{
    /// <param name="name">Such as <c>--documents</c>.</param>
    /// <param name="path">The field's path in the spec, such as <c>client.concurrency</c>.</param>
    /// <param name="valueName">Stands for the value in the help.</param>
    /// <param name="description">One line for the help.</param>
    /// <param name="isText">Whether the field is a text also where the value reads as a number.</param>
    public SpecOption(string name, string path, string valueName, string description, bool isText = false)
        : base(name)
    {
        IsText = isText;
        Path = path;
        Description = description;
        HelpName = valueName;
        AllowMultipleArgumentsPerToken = false;
    }

    public string Path { get; }

    /// <summary>Whether the field is a text also where the value reads as a number.</summary>
    public bool IsText { get; }

    /// <summary>The given text as the field's JSON.</summary>
    public JsonNode ValueOf(string text) => IsText ? JsonValue.Create(text) : ToJson(text);

    /// <summary>Which options gave the value that an error is about, such as <c>given as --workers</c>; null when none did.</summary>
    public static string? SourcesOf(ValidationError error, IEnumerable<SpecOption> given)
    {
        var sources = given.Where(option => option.Path == error.Path || option.Path.StartsWith(error.Path + ".", StringComparison.Ordinal))
            .Select(option => option.Name)
            .ToList();
        return sources.Count == 0 ? null : $"given as {string.Join(" and ", sources)}";
    }

    /// <summary>What is wrong with options whatever a spec says, where that spec cannot be read.</summary>
    /// <param name="given">Options that are given.</param>
    /// <param name="errors">Of a spec that consists of them alone.</param>
    public static IEnumerable<string> ErrorsOf(IReadOnlyList<SpecOption> given, IEnumerable<ValidationError> errors) =>
        // An error that spans several fields may go away with the spec's own values.
        from error in errors
        where !error.BeyondSchema
        let sources = SourcesOf(error, given)
        where sources is not null
        select $"{error} ({sources})";

    /// <summary>The given text as JSON: a number where it reads as one, else a string.</summary>
    public static JsonNode ToJson(string text)
    {
        try
        {
            return JsonNode.Parse(text) is JsonValue value && value.GetValueKind() == JsonValueKind.Number ? value : JsonValue.Create(text);
        }
        catch (JsonException)
        {
            return JsonValue.Create(text);
        }
    }
}

/// <summary>Reads files that a user names.</summary>
internal static class InputFile
{
    /// <summary>A price file's prices.</summary>
    /// <param name="file">Its path.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="InputException">It cannot be read, or is wrong.</exception>
    public static async Task<PriceList> ReadPricesAsync(string file, CancellationToken cancellationToken)
    {
        var reading = PriceFile.Read(await ReadAsync(file, "price file", cancellationToken));
        return reading.Prices ?? throw new InputException([.. reading.Errors.Select(error => $"{file}: {error}")]);
    }

    /// <summary>The file's text.</summary>
    /// <param name="file">Its path.</param>
    /// <param name="kind">What it should be, such as <c>spec file</c>.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="InputException">It cannot be read.</exception>
    public static async Task<string> ReadAsync(string file, string kind, CancellationToken cancellationToken)
    {
        if (Directory.Exists(file))
            throw new InputException($"{file}: a folder, not a {kind}.");
        try
        {
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
