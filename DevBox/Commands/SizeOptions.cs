namespace ScaleOut.DevBox.Commands;

/// <summary>
/// The options of <c>size</c>, their errors and the result. The command and the HTTP interface of <c>serve</c> use the same options.
/// </summary>
internal sealed class SizeOptions
{
    public const double MinRate = 0.01;
    public const double MaxRate = 1e9;

    private const double MaxMinutes = 1_440;
    private const double MaxMs = 10_000;
    private const double MaxHeadroom = 0.9;
    private const double MaxReadSkew = 3;
    private const int MaxMixWeight = 1_000;
    private const int MinBytes = 200;
    private const int MaxBytes = 2_000_000;
    private const double DefaultMinutes = 10;

    /// <summary>The option that names a price file of this machine.</summary>
    public const string PricesOption = "--prices";

    /// <summary>The options about files of this machine, which a request over HTTP does not have.</summary>
    public static readonly IReadOnlyList<string> OfFiles = [PricesOption, CsvOption.OptionName, "--key-column", "--on-broken-row"];

    private readonly TextOption _rate = new(
        "--rate", "documents/s", "Documents per second to hold: says which workers and RU/s that takes.");
    private readonly TextOption _until = new(
        "--until", "condition",
        $"With --rate: what must hold at it, such as p99<20ms && throttledShare<0.01 (default {LimitSpec.DefaultUntil}).");
    private readonly TextOption _within = new(
        "--within", "time",
        "Time for a load of --documents, such as 2h or 10m: says which workers and RU/s that takes, and what it costs.");
    private readonly TextOption _mix = new("--mix", "kind=share,...",
        "Shares of the kinds of operations, such as insert=80,read=20. A query is workload.query of the spec.");
    private readonly TextOption _readSkew = new(
        "--read-skew", "exponent",
        "Exponent of the law of Zipf by which existing documents are read, such as 1 (default: as the keys are written).");
    private readonly TextOption _arrivals = new(
        "--arrivals", "poisson|even",
        "With --rate: whether operations come at random, as those of many users do, or at even distances, as a run sends them (default "
            + "poisson).");
    private readonly TextOption _retention = new(
        "--retention", "time|none",
        "With --rate: how long documents are kept, such as 30d or 12h, or none if they are never deleted (default 30d).");
    private readonly PurchaseOptions _purchase = new();
    private readonly TextOption _prefer = new(
        "--prefer", "cost|workers",
        "Which of the fleets that hold is chosen: the cheapest, or that with the fewest workers (default cost).");
    private readonly TextOption _bytes = new(
        "--bytes", "n", "Size of the documents in bytes of JSON, instead of --document. Each has a key of its own.");
    public DocumentOption Document { get; } = new(withAccount: true);
    private readonly SpecOption _workers = new("--workers", "workers", about: "Workers: says what so many do.");
    private readonly SpecOption _throughput = new("--throughput", "container.throughput", "RU/s");
    private readonly SpecOption _concurrency = new("--concurrency", "client.concurrency");

    private readonly SpecOption _mode = new("--mode", "client.connectionMode");
    private readonly SpecOption _workload = new("--workload", "workload.kind", "insert|upsert|bulk|batch|read|query|patch|delete");

    private readonly CsvOption _csv = new();

    private readonly SpecOption _cores = new("--cores", "client.cores", about: "Cores of each worker (default 1).");
    private readonly SpecOption _documents = new(
        "--documents", "documents", about: "Documents of a load, or those that are there before the rate begins.");
    private readonly SpecOption _batchSize = new("--batch-size", "workload.batchSize");
    private readonly PartitionKeyOption _partitionKey = new();

    private readonly IReadOnlyList<SpecOption> _fields =
    [
        new("--indexing", "container.indexing"),
        new("--partitions", "simulation.physicalPartitions"),
        new("--latency", "simulation.latency"),
        new("--seed", "seed"),
        new("--database", "container.database", "name"),
        new("--key-column", "document.keyColumn", "column"),
        new("--on-broken-row", "document.onBrokenRow"),
    ];

    private readonly TextOption _headroom = new(
        "--headroom", "share", "With --rate: share of the RU/s kept spare at least (default: none beyond what the condition takes).");
    private readonly TextOption _cpu = new(
        "--cpu-per-operation", "time",
        "CPU time of a client for each operation, such as 0.25ms or 40us (default: as the run measured; without one it is "
        + "measured on this machine in about 12 s).");
    private readonly TextOption _overhead = new(
        "--overhead", "time", "Time of each attempt beside CPU and physics (default: as the run measured).");
    private readonly TextOption _minutes = new("--minutes", "n", "With --workers: virtual time (default 10).");
    private readonly TextOption _prices = new(PricesOption, "prices.json", "Price file (default: list prices of infra/prices.json).");

    public IReadOnlyList<Option> All =>
    [
        _rate, _within, _until, Document, _csv, _bytes, _workers, _throughput, _concurrency, _mode, _workload, _mix, _readSkew, _arrivals,
        _cores, _documents, _batchSize, _partitionKey, .. _fields, _retention, .. _purchase.All, _prefer, _headroom, _cpu, _overhead,
        _minutes, _prices,
    ];

    /// <summary>The options given that set fields of the spec.</summary>
    public IReadOnlyList<SpecOption> Given(CommandInput input) =>
        [.. All.OfType<SpecOption>().Where(option => option != Document && input.Value(option) is not null)];

    public bool IsByRate(CommandInput input) => (input.Value(_rate) ?? input.Value(_within)) is not null || _purchase.HasProfile(input);

    /// <summary>Reads the options. Everything that is wrong with them is added to the errors.</summary>
    public async Task<SizeAsked?> ReadAsync(
        CommandInput input, ErrorCollector errors, SizeReaders readers, CancellationToken cancellationToken)
    {
        errors.Add(QuestionErrors(input));
        var profile = await errors.TryAsync(() => _purchase.ReadProfileAsync(input, readers.ReadsFiles, cancellationToken));
        var rate = errors.Try(() => Number(input, _rate, MinRate, MaxRate)) ?? profile?.Max();
        var headroom = errors.Try(() => Number(input, _headroom, 0, MaxHeadroom));
        var minutes = errors.Try(() => Number(input, _minutes, 0.25, MaxMinutes)) ?? DefaultMinutes;
        var cpu = errors.Try(() => input.Value(_cpu) is { } text ? (double?)Milliseconds(_cpu.Name, text) : null);
        var overhead = errors.Try(() => input.Value(_overhead) is { } text ? (double?)Milliseconds(_overhead.Name, text) : null);
        var within = errors.Try(() => SizeTimes.Read(_within.Name, input.Value(_within), TimeSpan.FromDays(365)));
        var retention = errors.Try(() => RetentionOf(input));
        var peak = errors.Try(() => _purchase.ReadPeak(input));
        var idle = errors.Try(() => _purchase.ReadIdleRate(input, rate));
        var skew = errors.Try(() => Number(input, _readSkew, 0, MaxReadSkew));
        var prefersWorkers = errors.Try(() => IsSecond(input, _prefer, "cost", "workers"));
        var evenArrivals = errors.Try(() => IsSecond(input, _arrivals, "poisson", "even"));
        var mix = errors.Try(() => MixOf(input));
        var prices = await errors.TryAsync(() => ReadPricesAsync(input, readers.Prices, cancellationToken));
        var (spec, report, fields) = await errors.TryAsync(() => ReadBaseAsync(input, mix, readers));
        var condition = errors.Try(() => ConditionOf(input, spec));
        var plan = errors.Try(() => _purchase.ReadPlan(input, prices, spec));
        if (within is not null && spec?.Workload is { HasSeveralKinds: true } load
            && !load.Shares.All(one => StorageGrowth.AddsDocuments(one.Kind)))
        {
            errors.Add(
                _within.Name,
                $"not with {(load.Mix is null ? "actions that do" : "a mix that does")} more than write new documents; "
                    + $"--rate takes the rate of its {(load.Mix is null ? "actions" : "operations")}.");
        }

        var asked = rate ?? (within is { } time && spec is not null ? spec.Documents / time.TotalSeconds : null);
        return spec is null || condition is null || prices is null || plan is null ? null : new SizeAsked(spec, report, fields, prices)
        {
            Question = asked is not { } perSecond ? null : new SizeQuestion(perSecond, condition, prices)
            {
                Headroom = headroom,
                KeepsThroughput = input.Value(_throughput) is not null,
                KeepsMode = spec.Client.ConnectionMode is not null,
                KeepsConcurrency = spec.Client.Concurrency is not null,
                KeepsWorkload = input.Value(_workload) is not null,
                PrefersWorkers = prefersWorkers,
                EvenArrivals = evenArrivals,
                Within = within,
                Retention = retention,
                Day = profile is not null ? DailyLoad.OfHours(profile)
                    : peak is { } hours ? DailyLoad.OfPeak(hours.TotalHours, idle / perSecond) : null,
                Plan = plan,
                RateAfterwards = within is null ? 0 : idle,
                Existing = within is null && input.Value(_documents) is not null ? spec.Documents : null,
                ReadSkew = skew,
            },
            Duration = TimeSpan.FromMinutes(minutes),
            CpuMs = cpu,
            OverheadMs = overhead,
            StartedBy = input.CommandText,
        };
    }

    /// <param name="spec">Null if it has errors; the condition may then name every kind.</param>
    private LimitCondition ConditionOf(CommandInput input, RunSpec? spec)
    {
        var kinds = spec is null ? Enum.GetValues<WorkloadKind>() : FleetForecast.KindsOf(spec);
        var reading = LimitCondition.Parse(input.Value(_until), FleetForecast.ConditionNames(kinds));
        return reading.Value ?? throw new InputException([.. reading.Errors.Select(error => new InputError(_until.Name, $"{error}"))]);
    }

    /// <summary>The errors of how options are combined: neither or both of the two forms, or options of the other form.</summary>
    private IEnumerable<InputError> QuestionErrors(CommandInput input)
    {
        bool Has(Option<string?> option) => input.Value(option) is not null;
        var (byRate, byLoad, byWorkers) = (Has(_rate), Has(_within), Has(_workers));
        foreach (var error in _purchase.Errors(input, byRate, byLoad, byWorkers))
            yield return error;
        if (byRate && byLoad)
            yield return new("--within", "not beside --rate: the rate of a load is its --documents over its time. Give one of them.");
        byRate |= _purchase.HasProfile(input);
        if ((byRate || byLoad) == byWorkers)
            yield return InputError.Of(
                _rate.Name,
                $"Give {(byWorkers ? "only one" : "one")} of --rate, for the fleet that a rate takes, --within, for a load in a time, and "
                    + "--workers, for what a fleet does.");
        else if (!byWorkers && Has(_minutes))
            yield return new("--minutes", "only with --workers.");
        if (byWorkers)
        {
            Option<string?>[] ofRate = [_headroom, _until, _retention, _prefer, _readSkew, _arrivals];
            foreach (var option in ofRate.Where(Has))
                yield return new(option.Name, $"only with --rate{(option == _retention ? "" : " or --within")}.");
        }

        if (byLoad && Has(_retention))
            yield return new("--retention", "not with --within: a load keeps its documents.");
        if (Has(_mix) && Has(_workload))
            yield return new("--mix", "not beside --workload; it has the kinds and their shares.");
        if (Has(_csv) && Has(Document))
            yield return CsvOption.BesideDocument;
        if (Has(_bytes) && (Has(Document) || Has(_csv)))
            yield return new("--bytes", $"not beside {(Has(_csv) ? _csv.Name : Document.Name)}, whose documents have their own size.");
        if (input.Value(_headroom) is not null && input.Value(_throughput) is not null)
            yield return new("--headroom", "not beside --throughput, which gives the RU/s.");
    }

    public static double? Number(CommandInput input, Option<string?> option, double least, double most) =>
        input.Value(option) is { } text ? NumberText.Parse(option.Name, text, least, most) : null;

    /// <summary>The spec with the options applied, the report that it comes from, and the spec's fields as JSON.</summary>
    private async Task<(RunSpec Spec, RunReport? Report, JsonObject Fields)> ReadBaseAsync(
        CommandInput input, JsonObject? mix, SizeReaders readers)
    {
        var errors = new ErrorCollector([]);
        var source = await errors.TryAsync(readers.SourceAsync);
        var document = await errors.TryAsync(readers.DocumentAsync) ?? errors.Try(() => SizedDocumentOf(input));
        var (text, report, file) = source ?? SizeSource.Default;
        var given = Given(input);
        // A run on a real account has measured what a spec of documents says of a simulated one.
        static bool IsOfAccount(string path) => path.StartsWith("simulation", StringComparison.Ordinal);
        foreach (var field in document?.Where(field => report is { Simulated: false } && IsOfAccount(field.Key)).ToList() ?? [])
            document!.Remove(field.Key);
        var edited = new JsonObject();
        void Edit(JsonObject fields)
        {
            StoredItem.RemoveHead(fields);
            CsvPaths.Resolve(fields, file);
            SpecEdit.SetAll(fields, document ?? []);
            if (mix is not null)
            {
                SpecEdit.Set(fields, "workload.kind", "mix");
                SpecEdit.Set(fields, "workload.mix", mix.DeepClone());
            }

            foreach (var option in given)
                option.Set(fields, input.Value(option)!);
            CsvPaths.Resolve(fields, file: null);
            edited = fields.DeepClone().AsObject();
        }

        var target = report is { Simulated: false } && given.All(option => !IsOfAccount(option.Path))
            ? RunTarget.OtherAccount
            : RunTarget.SimulatedAccount;
        var reading = RunSpecReader.Read(text, target, Edit);
        InputError Describe(ValidationError error) =>
            document?.Any(field => error.Path == field.Key || error.Path.StartsWith($"{field.Key}.", StringComparison.Ordinal)) == true
                ? SpecOption.GivenAs([Document.Name], error)
                : SpecOption.Describe(error, file, given);
        errors.Add(source is null ? SpecOption.ErrorsOf(given, reading.Errors) : reading.Errors.Select(Describe));
        errors.Add(reading.Value is { } read ? FleetSpecs.ErrorsOf(read) : []);
        if (IsByRate(input) && reading.Value?.Workload.ThinkTime > TimeSpan.Zero)
            errors.Add("workload.thinkTime", "not with --rate, whose fleet keeps a schedule; --workers simulates it.");
        errors.ThrowIfAny();
        return (reading.Value!, report, edited);
    }

    private async Task<PriceList> ReadPricesAsync(CommandInput input, JsonObject? given, CancellationToken cancellationToken)
    {
        if (given is not null)
        {
            var reading = PriceList.Read(given.ToJsonString());
            return reading.Value ?? throw new InputException([.. reading.Errors.Select(error => new InputError(PricesOption, $"{error}"))]);
        }

        if (input.Value(_prices) is { } file)
            return await InputFile.ReadPricesAsync(file, cancellationToken);
        return PriceList.Read(ReadyPlans.TextOf(ReadyPlans.Prices)).Value!;
    }

    private static double Milliseconds(string option, string text)
    {
        var (number, factor) = text.EndsWith("us", StringComparison.Ordinal) ? (text[..^2], 0.001)
            : text.EndsWith("ms", StringComparison.Ordinal) ? (text[..^2], 1)
            : (text, 1.0);
        return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value >= 0
            && value * factor <= MaxMs
            ? value * factor
            : throw new InputException(option, $"'{text}' is not a time from 0 to 10,000 ms, such as 0.25ms or 40us.");
    }

    /// <summary>How long documents are kept; null if they are never deleted.</summary>
    private TimeSpan? RetentionOf(CommandInput input)
    {
        const int MaxDays = 36_500;
        if (input.Value(_retention) is not { } text)
            return TimeSpan.FromDays(StorageGrowth.DaysOfNone);
        if (text.Equals("none", StringComparison.OrdinalIgnoreCase))
            return null;
        if (text.TrimStart('0').Length == 0 || SizeTimes.Parse(text) == TimeSpan.Zero)
        {
            throw new InputException(
                _retention.Name, $"{text} keeps no document. Give a time such as 30d or 12h, or none if documents are never deleted.");
        }

        return SizeTimes.Parse(text) is { } time && time.TotalDays <= MaxDays
            ? time
            : throw new InputException(_retention.Name, $"'{text}' is not a time such as 30d or 12h, and not none.");
    }

    /// <summary>Whether an option has the second of its two values; without the option it has the first.</summary>
    public static bool IsSecond(CommandInput input, Option<string?> option, string first, string second)
    {
        var given = input.Value(option) ?? first;
        return given == first || given == second
            ? given == second
            : throw new InputException(option.Name, $"'{given}' is neither {first} nor {second}.");
    }

    /// <summary>The mix of a spec, such as <c>{"insert": 80, "read": 20}</c>; null without the option.</summary>
    private JsonObject? MixOf(CommandInput input)
    {
        if (input.Value(_mix) is not { } text)
            return null;
        string[] names = ["insert", "upsert", "patch", "read", "query", "delete"];
        var (mix, errors) = (new JsonObject(), new List<InputError>());
        foreach (var part in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var (name, share) = part.Split('=', 2, StringSplitOptions.TrimEntries) is [var kind, var number]
                ? (kind.ToLowerInvariant(), number.TrimEnd('%'))
                : (part, "");
            if (!names.Contains(name))
                errors.Add(new(_mix.Name, $"'{name}' is not one of {string.Join(", ", names)}."));
            else if (!int.TryParse(share, NumberStyles.None, CultureInfo.InvariantCulture, out var weight) || weight > MaxMixWeight)
                errors.Add(new(_mix.Name, $"'{part}' is not a kind with a whole number from 0 to 1,000, such as insert=80."));
            else if (!mix.TryAdd(name, weight))
                errors.Add(new(_mix.Name, $"'{name}' is there twice."));
        }

        if (errors.Count == 0 && mix.All(one => (int)one.Value! == 0))
            errors.Add(new(_mix.Name, "its shares add up to nothing; give at least one above 0, such as insert=80,read=20."));
        return errors.Count == 0 ? mix : throw new InputException(errors);
    }

    /// <summary>The fields of documents of a given size; null without the option.</summary>
    private JsonObject? SizedDocumentOf(CommandInput input) => Number(input, _bytes, MinBytes, MaxBytes) is { } bytes
        ? SizeSource.DocumentFieldsOf((int)bytes, input.Value(_partitionKey))
        : null;
}

/// <summary>Where the options of <c>size</c> get what they do not say themselves.</summary>
/// <param name="SourceAsync">Reads the spec, or the report of a run, that the fleet is sized from.</param>
/// <param name="DocumentAsync">Reads the fields of a spec that say what documents are; null to use those of the source.</param>
internal sealed record SizeReaders(Func<Task<SizeSource>> SourceAsync, Func<Task<JsonObject?>> DocumentAsync)
{
    /// <summary>The JSON of a price file; null for that of the option, or the list prices.</summary>
    public JsonObject? Prices { get; init; }

    /// <summary>Whether options may name files of this machine.</summary>
    public bool ReadsFiles { get; init; } = true;
}
