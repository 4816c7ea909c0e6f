using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Comparisons;
using ScaleOut.Analysis.Costs;
using ScaleOut.Analysis.Reports;
using ScaleOut.DevBox.Prediction;
using ScaleOut.Evidence;
using ScaleOut.Json;
using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>predict</c>: what a fleet larger than this machine does, by simulating it in virtual time.</summary>
internal sealed class PredictCommand
{
    private const double MostMinutes = 1_440;
    private const double MostMs = 10_000;

    private readonly Argument<string?> _base = new("base")
    {
        Description = "A spec, the report.json of a run, its folder or its id; without it the defaults of 'run'.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly IReadOnlyList<SpecOption> _fields =
    [
        new("--workers", "workers"),
        new("--mode", "client.connectionMode"),
        new("--concurrency", "client.concurrency"),
        new("--rate", "client.rate"),
        new("--cores", "client.cores", about: "Cores of each worker (default 1)."),
        new("--workload", "workload.kind", "insert|upsert|bulk|batch|read|delete"),
        new("--batch-size", "workload.batchSize"),
        new("--document", "document.kind"),
        new("--indexing", "container.indexing"),
        new("--throughput", "container.throughput", "RU/s"),
        new("--partitions", "simulation.physicalPartitions"),
        new("--latency", "simulation.latency"),
        new("--seed", "seed"),
    ];

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
    private readonly Option<string?> _shared = new("--shared-cores")
    {
        Description = "Cores that all workers and the account share, as on one machine, instead of --cores each; need not be whole.",
        HelpName = "n",
    };
    private readonly Option<string?> _minutes = new("--minutes") { Description = "Virtual time (default 10).", HelpName = "n" };
    private readonly Option<string?> _most = new("--most-operations")
    {
        Description = "Operations from which on a part of the fleet is simulated, or until it is steady (default 20,000,000).",
        HelpName = "n",
    };
    private readonly Option<string?> _prices = new("--prices")
    {
        Description = "Price file, such as infra/prices.json.",
        HelpName = "prices.json",
    };
    private readonly Option<bool> _json = new("--json") { Description = "Writes the prediction as JSON." };
    private readonly RunsFolderOption _out = new();

    public Command Create()
    {
        var command = new Command(
            "predict",
            "Says what a fleet of workers does, by simulating it in virtual time: rate, latency, throttling, and what stops it.");
        command.Arguments.Add(_base);
        foreach (var option in (Option[])[.. _fields, _cpu, _overhead, _shared, _minutes, _most, _prices, _out, _json])
            command.Options.Add(option);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var cpu = errors.Try(() => input.Value(_cpu) is { } text ? (double?)Milliseconds(_cpu.Name, text) : null);
        var overhead = errors.Try(() => input.Value(_overhead) is { } text ? (double?)Milliseconds(_overhead.Name, text) : null);
        var shared = errors.Try(
            () => input.Value(_shared) is { } text ? (double?)NumberText.Parse(_shared.Name, text, 0.01, 10_000) : null);
        var minutes = errors.Try(() => input.Value(_minutes) is { } text ? NumberText.Parse(_minutes.Name, text, 0.25, MostMinutes) : 10);
        var most = errors.Try(
            () => input.Value(_most) is { } text ? (long)NumberText.Parse(_most.Name, text, 1, 1e12) : FleetSpec.DefaultMostOperations);
        var prices = await errors.TryAsync(() => ReadPricesAsync(input, cancellationToken));
        var read = await errors.TryAsync(() => ReadBaseAsync(input, cancellationToken));
        errors.ThrowIfAny();

        var (spec, report) = read;
        var known = report is null ? PredictionBase.From(spec, cpu, overhead) : PredictionBase.From(report, spec, cpu, overhead);
        var fleet = FleetSpecs.From(known, FleetSpecs.PartitionsOf(spec)) with
        {
            Duration = TimeSpan.FromMinutes(minutes), MostOperations = most,
        };
        if (shared is { } cores)
            fleet = fleet with { Cores = cores, SharesCores = true, AccountCpuMsPerAttempt = known.AccountCpuMsPerAttempt };
        var result = VirtualFleet.Simulate(fleet);
        var forecast = FleetForecast.From(
            spec,
            result,
            [ForecastLines.Describe(fleet, result.Sample), .. known.Notes, .. FleetSpecs.LeftOutOf(spec)],
            prices);
        if (input.Value(_json))
        {
            Console.WriteLine(JsonSerializer.Serialize(forecast, ScaleOutJson.Indented));
            return ExitCode.Complete;
        }

        foreach (var line in ForecastLines.From(forecast))
            Console.WriteLine(line);
        return ExitCode.Complete;
    }

    /// <summary>The spec with the options over it, and the run that it is from.</summary>
    private async Task<(RunSpec Spec, RunReport? Report)> ReadBaseAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = new ErrorCollector([]);
        var source = await errors.TryAsync(() => ReadSourceAsync(input, cancellationToken));
        var (text, report, file) = source ?? new PredictionSource("{}", null, null);
        var given = _fields.Where(option => input.Value(option) is not null).ToList();
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
            : reading.Errors.Select(error => SpecOption.SourcesOf(error, given) is { } options ? $"{error} ({options})"
                : file is null ? error.ToString()
                : $"{file}: {error}"));
        errors.Add(reading.Value is { } read ? FleetSpecs.ErrorsOf(read) : []);
        errors.ThrowIfAny();
        return (reading.Value!, report);
    }

    private async Task<PredictionSource> ReadSourceAsync(CommandInput input, CancellationToken cancellationToken)
    {
        if (input.Value(_base) is not { } given)
            return new PredictionSource("{}", null, null);
        var ofRun = Path.Combine(_out.Read(input), given);
        var path = !Path.Exists(given) && Directory.Exists(ofRun) ? ofRun : given;
        if (!Directory.Exists(path))
        {
            var text = await InputFile.ReadAsync(path, "spec or report", cancellationToken);
            if (!IsReport(text))
                return new PredictionSource(text, null, path);
        }

        var report = (await ReportFiles.ReadAsync(path, cancellationToken)).Run
            ?? throw new InputException($"{path}: the report of an experiment; give that of one of its runs.");
        return new PredictionSource(JsonSerializer.Serialize(report.Spec, ScaleOutJson.Compact), report, path);
    }

    private static bool IsReport(string text)
    {
        try
        {
            return JsonNode.Parse(text) is JsonObject item && item.ContainsKey("throughput");
        }
        catch (JsonException)
        {
            // Whoever reads it as a spec says what is wrong with it.
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
            && value * factor <= MostMs
            ? value * factor
            : throw new InputException($"{option}: '{text}' is not a time from 0 to 10,000 ms, such as 0.25ms or 40us.");
    }
}

/// <summary>What a fleet is predicted from.</summary>
/// <param name="Text">The JSON of a spec; of a report that of its run.</param>
/// <param name="Report">The run's report; null for a spec.</param>
/// <param name="File">Where it was read; null for the defaults.</param>
internal sealed record PredictionSource(string Text, RunReport? Report, string? File);
