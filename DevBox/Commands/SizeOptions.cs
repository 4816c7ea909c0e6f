using ScaleOut.DevBox.Sizing;
using ScaleOut.Workers.Measuring;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// The options of <c>size</c>, their errors and the result. The command and the HTTP interface of <c>serve</c> use the same options.
/// </summary>
internal sealed class SizeOptions
{
    private const double MaxMinutes = 1_440;
    private const double MaxMs = 10_000;
    private const double MinRate = 0.01;
    private const double MaxRate = 1e9;
    private const double MaxHeadroom = 0.9;
    private const double DefaultMinutes = 10;
    private const long MaxOperationsIfOtherwise = 1_000_000;
    private const string PricesName = "prices.json";

    /// <summary>The option that names a file of this machine.</summary>
    public const string PricesOption = "--prices";

    private readonly Option<string?> _rate = new("--rate")
    {
        Description = "Documents per second to hold: says which workers and RU/s that takes.",
        HelpName = "documents/s",
    };
    private readonly Option<string?> _until = new("--until")
    {
        Description = "With --rate: what must hold at it, such as p99<20ms && throttledShare<0.01 (default "
            + $"{LimitCondition.Default}).",
        HelpName = "condition",
    };
    public Option<string?> Document { get; } = new("--document")
    {
        Description = "The kind of the documents, or a JSON file with a template of your own ones.",
        HelpName = "kind|template.json",
    };
    private readonly SpecOption _workers = new("--workers", "workers", about: "Workers: says what so many do.");
    private readonly SpecOption _throughput = new("--throughput", "container.throughput", "RU/s");
    private readonly SpecOption _concurrency = new("--concurrency", "client.concurrency");

    private readonly SpecOption _mode = new("--mode", "client.connectionMode");
    private readonly SpecOption _workload = new("--workload", "workload.kind", "insert|upsert|bulk|batch|read|delete");

    private readonly IReadOnlyList<SpecOption> _fields =
    [
        new("--cores", "client.cores", about: "Cores of each worker (default 1)."),
        new("--documents", "documents"),
        new("--batch-size", "workload.batchSize"),
        new("--partition-key", "container.partitionKeyPath", "path"),
        new("--indexing", "container.indexing"),
        new("--partitions", "simulation.physicalPartitions"),
        new("--latency", "simulation.latency"),
        new("--seed", "seed"),
    ];

    private readonly Option<string?> _headroom = new("--headroom")
    {
        Description = "With --rate: share of the RU/s kept spare (default: the smallest from 0.05 to 0.6 with which it holds).",
        HelpName = "share",
    };
    private readonly Option<string?> _cpu = new("--cpu-per-operation")
    {
        Description = "CPU time of a client for each operation, such as 0.25ms or 40us (default: as the run measured; without one it is "
            + "measured on this machine in about 12 s).",
        HelpName = "time",
    };
    private readonly Option<string?> _overhead = new("--overhead")
    {
        Description = "Time of each attempt beside CPU and physics (default: as the run measured).",
        HelpName = "time",
    };
    private readonly Option<string?> _minutes = new("--minutes")
    {
        Description = "With --workers: virtual time (default 10).",
        HelpName = "n",
    };
    private readonly Option<string?> _prices = new(PricesOption)
    {
        Description = "Price file (default: list prices of infra/prices.json).",
        HelpName = "prices.json",
    };

    /// <summary>All options.</summary>
    public IReadOnlyList<Option> All =>
    [
        _rate, _until, Document, _workers, _throughput, _concurrency, _mode, _workload, .. _fields, _headroom, _cpu, _overhead, _minutes,
        _prices,
    ];

    public bool IsByRate(CommandInput input) => input.Value(_rate) is not null;

    /// <summary>Reads the options. Everything that is wrong with them is added to the errors.</summary>
    /// <param name="sourceAsync">Reads the spec, or the report of a run, that the fleet is sized from.</param>
    /// <param name="documentAsync">Reads the fields of a spec that say what documents are; null to use those of the source.</param>
    public async Task<SizeAsked?> ReadAsync(
        CommandInput input, ErrorCollector errors, Func<Task<SizeSource>> sourceAsync, Func<Task<JsonObject?>> documentAsync,
        CancellationToken cancellationToken)
    {
        errors.Add(QuestionErrors(input));
        var rate = errors.Try(() => Number(input, _rate, MinRate, MaxRate));
        var headroom = errors.Try(() => Number(input, _headroom, 0, MaxHeadroom));
        var condition = errors.Try(() => ConditionOf(input));
        var minutes = errors.Try(() => Number(input, _minutes, 0.25, MaxMinutes)) ?? DefaultMinutes;
        var cpu = errors.Try(() => input.Value(_cpu) is { } text ? (double?)Milliseconds(_cpu.Name, text) : null);
        var overhead = errors.Try(() => input.Value(_overhead) is { } text ? (double?)Milliseconds(_overhead.Name, text) : null);
        var prices = await errors.TryAsync(() => ReadPricesAsync(input, cancellationToken));
        var (spec, report, fields) = await errors.TryAsync(() => ReadBaseAsync(input, sourceAsync, documentAsync));
        return spec is null || condition is null || prices is null ? null : new SizeAsked(spec, report, fields, prices)
        {
            Question = rate is not { } asked ? null : new SizeQuestion(asked, condition, prices)
            {
                Headroom = headroom,
                KeepsThroughput = input.Value(_throughput) is not null,
                KeepsMode = spec.Client.ConnectionMode is not null,
                KeepsConcurrency = spec.Client.Concurrency is not null,
                KeepsWorkload = input.Value(_workload) is not null,
            },
            Duration = TimeSpan.FromMinutes(minutes),
            CpuMs = cpu,
            OverheadMs = overhead,
            StartedBy = input.CommandText,
        };
    }

    /// <summary>Simulates the fleets for options that were read without errors.</summary>
    /// <param name="measureAsync">
    /// Makes a run that measures the CPU of an operation on this machine. Used if neither an option nor a report gives it.
    /// </param>
    /// <exception cref="InputException">The fleet cannot be simulated, or no container has its RU/s.</exception>
    public static async Task<SizeResult> RespondAsync(SizeAsked asked, Func<RunSpec, Task<RunReport>> measureAsync)
    {
        var (spec, report) = (asked.Spec, asked.Report);
        var own = report is null && asked.CpuMs is null;
        if (own && spec.Workload.Kind.NeedsDocuments())
            throw new InputException(
                "--cpu-per-operation: give it, or the report of a run; only inserts, upserts, batches and bulk are measured here.");
        if (own)
            report = await measureAsync(OwnMeasurement.SpecFor(spec));
        var basis = report is null
            ? FleetBasis.From(spec, asked.CpuMs, asked.OverheadMs)
            : FleetBasis.From(report, spec, asked.CpuMs, asked.OverheadMs, own);
        var result = asked.Question is { } question ? FleetSearch.Find(basis, question) : Simulate(basis, asked.Duration, asked.Prices);
        return result with
        {
            Spec = spec, StartedBy = asked.StartedBy, Program = SoftwareNames.Program,
            Machines = report is null ? [] : MachineKind.From(report),
        };
    }

    private LimitCondition ConditionOf(CommandInput input)
    {
        var reading = LimitCondition.Parse(input.Value(_until), FleetForecast.ConditionNames);
        return reading.Value ?? throw new InputException([.. reading.Errors.Select(error => $"{_until.Name}: {error}")]);
    }

    /// <summary>The errors of how options are combined: neither or both of the two forms, or options of the other form.</summary>
    private IEnumerable<string> QuestionErrors(CommandInput input)
    {
        var (byRate, byWorkers) = (input.Value(_rate) is not null, input.Value(_workers) is not null);
        if (byRate == byWorkers)
            yield return $"Give {(byRate ? "only one" : "one")} of --rate, for the fleet that a rate takes, and --workers, for what a "
                + "fleet does.";
        else if (byRate && input.Value(_minutes) is not null)
            yield return "--minutes: only with --workers.";
        else if (byWorkers && input.Value(_headroom) is not null)
            yield return "--headroom: only with --rate.";
        else if (byWorkers && input.Value(_until) is not null)
            yield return "--until: only with --rate.";
        if (input.Value(_headroom) is not null && input.Value(_throughput) is not null)
            yield return "--headroom: not beside --throughput, which gives the RU/s.";
    }

    private static SizeResult Simulate(FleetBasis basis, TimeSpan duration, PriceList prices)
    {
        var spec = basis.Spec;
        var fleet = FleetSpecs.From(basis, RunEstimate.PartitionsOf(spec, basis.BytesPerDocument)) with { Duration = duration };
        FleetForecast IfCpuWere(double factor) => FleetForecast.From(VirtualFleet.Simulate(fleet with
        {
            CpuMsPerAttempt = fleet.CpuMsPerAttempt * factor, Duration = TimeSpan.FromMinutes(1), MaxOperations = MaxOperationsIfOtherwise,
        }));
        return new SizeResult
        {
            Settings = new FleetSettings(fleet.ConnectionMode, fleet.Bulk, fleet.Workers, fleet.Concurrency, spec.Container.Throughput),
            Fleet = FleetForecast.From(VirtualFleet.Simulate(fleet)),
            Cost = MonthCost.From(prices, spec.Workers, fleet.Throughput, spec.Documents, basis.BytesPerDocument),
            Dependences =
            [
                .. new[] { 0.5, 2 }.Where(_ => fleet.CpuMsPerAttempt > 0).Select(factor => (Factor: factor, Forecast: IfCpuWere(factor)))
                    .Select(one => new Dependence(
                        $"CPU of an operation {Numbers.Brief(fleet.CpuMsPerAttempt * one.Factor)} ms "
                            + (one.Factor < 1 ? "(half)" : "(twice)"),
                        $"{Numbers.Brief(one.Forecast.PerSecond)} documents/s, " + (one.Forecast.PromisesLatency
                            ? $"p99 {Numbers.Brief(one.Forecast.OperationMs.P99)} ms"
                            : $"no latency promised: {Numbers.Percent(one.Forecast.Utilization.Client)} of the clients' cores"))),
            ],
            Basis = basis.Figures,
            IsReal = basis.IsReal,
            Notes = [.. basis.Notes, .. FleetSpecs.LeftOutOf(spec)],
        };
    }

    private static double? Number(CommandInput input, Option<string?> option, double least, double most) =>
        input.Value(option) is { } text ? NumberText.Parse(option.Name, text, least, most) : null;

    /// <summary>The spec with the options applied, the report that it comes from, and the spec's fields as JSON.</summary>
    private async Task<(RunSpec Spec, RunReport? Report, JsonObject Fields)> ReadBaseAsync(
        CommandInput input, Func<Task<SizeSource>> sourceAsync, Func<Task<JsonObject?>> documentAsync)
    {
        var errors = new ErrorCollector([]);
        var source = await errors.TryAsync(sourceAsync);
        var document = await errors.TryAsync(documentAsync);
        var (text, report, file) = source ?? SizeSource.Default;
        var given = ((SpecOption[])[_workers, _throughput, _concurrency, _mode, _workload, .. _fields])
            .Where(option => input.Value(option) is not null).ToList();
        var edited = new JsonObject();
        void Edit(JsonObject fields)
        {
            StoredItem.RemoveHead(fields);
            foreach (var (path, value) in document ?? [])
                SpecEdit.Set(fields, path, value!.DeepClone());
            foreach (var option in given)
                SpecEdit.Set(fields, option.Path, option.ValueOf(input.Value(option)!));
            edited = fields.DeepClone().AsObject();
        }

        var target = report is { Simulated: false } && given.All(option => !option.Path.StartsWith("simulation", StringComparison.Ordinal))
            ? RunTarget.OtherAccount
            : RunTarget.SimulatedAccount;
        var reading = RunSpecReader.Read(text, target, Edit);
        string Describe(ValidationError error) =>
            document?.Any(field => error.Path.StartsWith(field.Key, StringComparison.Ordinal)) == true
                ? $"{error} (given as {Document.Name})"
                : SpecOption.Describe(error, file, given);
        errors.Add(source is null ? SpecOption.ErrorsOf(given, reading.Errors) : reading.Errors.Select(Describe));
        errors.Add(reading.Value is { } read ? FleetSpecs.ErrorsOf(read) : []);
        if (input.Value(_rate) is not null && reading.Value?.Workload.ThinkTime > TimeSpan.Zero)
            errors.Add(["workload.thinkTime: not with --rate, whose fleet keeps a schedule; --workers simulates it."]);
        errors.ThrowIfAny();
        return (reading.Value!, report, edited);
    }

    private async Task<PriceList> ReadPricesAsync(CommandInput input, CancellationToken cancellationToken)
    {
        if (input.Value(_prices) is { } file)
            return await InputFile.ReadPricesAsync(file, cancellationToken);
        using var listed = new StreamReader(typeof(SizeOptions).Assembly.GetManifestResourceStream(PricesName)!);
        return PriceList.Read(await listed.ReadToEndAsync(cancellationToken)).Value!;
    }

    private static double Milliseconds(string option, string text)
    {
        var (number, factor) = text.EndsWith("us", StringComparison.Ordinal) ? (text[..^2], 0.001)
            : text.EndsWith("ms", StringComparison.Ordinal) ? (text[..^2], 1)
            : (text, 1.0);
        return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value >= 0
            && value * factor <= MaxMs
            ? value * factor
            : throw new InputException($"{option}: '{text}' is not a time from 0 to 10,000 ms, such as 0.25ms or 40us.");
    }
}

/// <summary>What a fleet is sized from.</summary>
/// <param name="Text">The JSON of a spec; for a report, that of its run's spec.</param>
/// <param name="Report">The run's report; null for a spec.</param>
/// <param name="File">The file that it was read from; null for the defaults.</param>
internal sealed record SizeSource(string Text, RunReport? Report, string? File)
{
    /// <summary>The defaults of a run.</summary>
    public static SizeSource Default { get; } = new("{}", null, null);

    public static SizeSource From(RunReport report, string? file) =>
        new(JsonSerializer.Serialize(report.Spec, ScaleOutJson.Compact), report, file);

    /// <summary>
    /// The fields, by their paths, that say what documents are and cost. They are those of a template, or of a spec that has one, with the
    /// key and the index of its container.
    /// </summary>
    public static JsonObject DocumentFieldsOf(JsonObject given)
    {
        if (given["document"] is not JsonObject document || !document.ContainsKey("template"))
            return DocumentFieldsOf("template", given);
        var fields = new JsonObject { ["document"] = document.DeepClone() };
        foreach (var name in (string[])["partitionKeyPath", "indexing", "excludedPaths"])
        {
            if ((given["container"] as JsonObject)?[name] is { } value)
                fields[$"container.{name}"] = value.DeepClone();
        }

        return fields;
    }

    public static JsonObject DocumentFieldsOf(string kind, JsonObject? template = null)
    {
        var document = new JsonObject { ["kind"] = kind };
        if (template is not null)
            document["template"] = template;
        return new JsonObject { ["document"] = document };
    }
}

/// <summary>The options of <c>size</c>, read without errors.</summary>
/// <param name="Report">The run that the fleet is sized from; null for a spec.</param>
/// <param name="Fields">Fields of the spec as JSON, with the options applied.</param>
internal sealed record SizeAsked(RunSpec Spec, RunReport? Report, JsonObject Fields, PriceList Prices)
{
    /// <summary>Null if a number of workers is given.</summary>
    public SizeQuestion? Question { get; init; }

    /// <summary>Virtual time of a fleet of given workers.</summary>
    public TimeSpan Duration { get; init; }

    public double? CpuMs { get; init; }

    public double? OverheadMs { get; init; }

    public required string StartedBy { get; init; }
}
