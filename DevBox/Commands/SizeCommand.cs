using ScaleOut.DevBox.Sizing;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// <c>size</c>: which fleet a rate takes, or what a fleet of so many workers does, by simulating fleets in virtual time.
/// </summary>
internal sealed class SizeCommand
{
    private const double MaxMinutes = 1_440;
    private const double MaxMs = 10_000;
    private const double MinRate = 0.01;
    private const double MaxRate = 1e9;
    private const double MaxHeadroom = 0.9;
    private const double DefaultMinutes = 10;

    private readonly Argument<string?> _base = new("spec")
    {
        Description = "A spec, the report.json of a run, its folder or its id; without it the defaults of 'run'.",
        Arity = ArgumentArity.ZeroOrOne,
    };
    private readonly Option<string?> _rate = new("--rate")
    {
        Description = "Documents per second to hold: says which workers and RU/s that takes.",
        HelpName = "documents/s",
    };
    private readonly SpecOption _workers = new("--workers", "workers", about: "Workers: says what so many do.");
    private readonly SpecOption _throughput = new("--throughput", "container.throughput", "RU/s");
    private readonly SpecOption _concurrency = new("--concurrency", "client.concurrency");

    private readonly IReadOnlyList<SpecOption> _fields =
    [
        new("--mode", "client.connectionMode"),
        new("--cores", "client.cores", about: "Cores of each worker (default 1)."),
        new("--documents", "documents"),
        new("--workload", "workload.kind", "insert|upsert|bulk|batch|read|delete"),
        new("--batch-size", "workload.batchSize"),
        new("--document", "document.kind"),
        new("--indexing", "container.indexing"),
        new("--partitions", "simulation.physicalPartitions"),
        new("--latency", "simulation.latency"),
        new("--seed", "seed"),
    ];

    private readonly Option<string?> _headroom = new("--headroom")
    {
        Description = "With --rate: share of the RU/s kept spare (default 0.1), where --throughput does not give them.",
        HelpName = "share",
    };
    private readonly Option<string?> _cpu = new("--cpu-per-operation")
    {
        Description = "CPU time of a client for each operation, such as 0.25ms or 40us (default: as the run measured).",
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
    private readonly Option<string?> _prices = new("--prices")
    {
        Description = "Price file, such as infra/prices.json.",
        HelpName = "prices.json",
    };
    private readonly RunsFolderOption _out = new();
    private readonly PageOutput _output = new("result");

    public Command Create()
    {
        var command = new Command(
            "size",
            "Says which fleet a rate takes (--rate), or what a fleet does (--workers), by simulating fleets in virtual time.");
        command.Arguments.Add(_base);
        Option[] options =
        [
            _rate, _workers, _throughput, _concurrency, .. _fields, _headroom, _cpu, _overhead, _minutes, _prices, _out,
        ];
        foreach (var option in options)
            command.Options.Add(option);
        _output.AddTo(command);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        errors.Add(QuestionErrors(input));
        var rate = errors.Try(() => Number(input, _rate, MinRate, MaxRate));
        var headroom = errors.Try(() => Number(input, _headroom, 0, MaxHeadroom)) ?? FleetSearch.DefaultHeadroom;
        var minutes = errors.Try(() => Number(input, _minutes, 0.25, MaxMinutes)) ?? DefaultMinutes;
        var cpu = errors.Try(() => input.Value(_cpu) is { } text ? (double?)Milliseconds(_cpu.Name, text) : null);
        var overhead = errors.Try(() => input.Value(_overhead) is { } text ? (double?)Milliseconds(_overhead.Name, text) : null);
        var prices = await errors.TryAsync(() => ReadPricesAsync(input, cancellationToken));
        var read = await errors.TryAsync(() => ReadBaseAsync(input, cancellationToken));
        errors.Try(() => _output.Check(input));
        errors.ThrowIfAny();

        var (spec, report) = read;
        var basis = report is null ? FleetBasis.From(spec, cpu, overhead) : FleetBasis.From(report, spec, cpu, overhead);
        var result = rate is { } asked
            ? FleetSearch.Find(
                basis, asked, input.Value(_throughput) is null ? headroom : null, otherSettings: input.Value(_concurrency) is null, prices)
            : Simulate(basis, TimeSpan.FromMinutes(minutes), prices);
        await _output.WriteAsync(input, result, SizePage.From);
        return ExitCode.Complete;
    }

    /// <summary>The errors of the question itself: neither or both forms given, or options of the other form.</summary>
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
        if (input.Value(_headroom) is not null && input.Value(_throughput) is not null)
            yield return "--headroom: not beside --throughput, which gives the RU/s.";
    }

    private static SizeResult Simulate(FleetBasis basis, TimeSpan duration, PriceList? prices)
    {
        var fleet = FleetSpecs.From(basis, FleetSpecs.PartitionsOf(basis.Spec)) with { Duration = duration };
        return new SizeResult
        {
            Fleet = FleetForecast.From(basis.Spec, VirtualFleet.Simulate(fleet), prices),
            Basis = basis.Figures,
            Notes = [.. basis.Notes, .. FleetSpecs.LeftOutOf(basis.Spec)],
        };
    }

    private static double? Number(CommandInput input, Option<string?> option, double least, double most) =>
        input.Value(option) is { } text ? NumberText.Parse(option.Name, text, least, most) : null;

    /// <summary>The spec with the options over it, and the run that it is from.</summary>
    private async Task<(RunSpec Spec, RunReport? Report)> ReadBaseAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = new ErrorCollector([]);
        var source = await errors.TryAsync(() => ReadSourceAsync(input, cancellationToken));
        var (text, report, file) = source ?? new SizeSource("{}", null, null);
        var given = ((SpecOption[])[_workers, _throughput, _concurrency, .. _fields])
            .Where(option => input.Value(option) is not null).ToList();
        void Edit(JsonObject fields)
        {
            StoredItem.RemoveHead(fields);
            foreach (var option in given)
                SpecEdit.Set(fields, option.Path, option.ValueOf(input.Value(option)!));
        }

        var target = report is { Simulated: false } && given.All(option => !option.Path.StartsWith("simulation", StringComparison.Ordinal))
            ? RunTarget.OtherAccount
            : RunTarget.SimulatedAccount;
        var reading = RunSpecReader.Read(text, target, Edit);
        errors.Add(source is null
            ? SpecOption.ErrorsOf(given, reading.Errors)
            : reading.Errors.Select(error => SpecOption.Describe(error, file, given)));
        errors.Add(reading.Value is { } read ? FleetSpecs.ErrorsOf(read) : []);
        if (input.Value(_rate) is not null && reading.Value?.Workload.ThinkTime > TimeSpan.Zero)
            errors.Add(["workload.thinkTime: not with --rate, whose fleet keeps a schedule; --workers simulates it."]);
        errors.ThrowIfAny();
        return (reading.Value!, report);
    }

    private async Task<SizeSource> ReadSourceAsync(CommandInput input, CancellationToken cancellationToken)
    {
        if (input.Value(_base) is not { } given)
            return new SizeSource("{}", null, null);
        var ofRun = Path.Combine(_out.Read(input), given);
        var path = !Path.Exists(given) && Directory.Exists(ofRun) ? ofRun : given;
        if (!Directory.Exists(path))
        {
            var text = await InputFile.ReadAsync(path, "spec or report", cancellationToken);
            if (!IsReport(text))
                return new SizeSource(text, null, path);
        }

        var report = (await ReportFiles.ReadAsync(path, cancellationToken)).Run
            ?? throw new InputException($"{path}: the report of an experiment; give that of one of its runs.");
        return new SizeSource(JsonSerializer.Serialize(report.Spec, ScaleOutJson.Compact), report, path);
    }

    private static bool IsReport(string text)
    {
        try
        {
            return JsonNode.Parse(text) is JsonObject item && item.ContainsKey("state");
        }
        catch (JsonException)
        {
            // Reading it as a spec reports its errors.
            return false;
        }
    }

    private async Task<PriceList?> ReadPricesAsync(CommandInput input, CancellationToken cancellationToken) =>
        input.Value(_prices) is { } file ? await InputFile.ReadPricesAsync(file, cancellationToken) : null;

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
/// <param name="Text">The JSON of a spec; of a report that of its run.</param>
/// <param name="Report">The run's report; null for a spec.</param>
/// <param name="File">The file that it was read from; null for the defaults.</param>
internal sealed record SizeSource(string Text, RunReport? Report, string? File);
