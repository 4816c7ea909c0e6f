using System.CommandLine;
using System.Text.Json;
using ScaleOut.Analysis.Costs;
using ScaleOut.Analysis.Experiments.Building;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Sizing;
using ScaleOut.DevBox.Prediction;
using ScaleOut.Json;
using ScaleOut.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>size</c>: what a rate of inserts needs, by what a run or an experiment measured.</summary>
internal sealed class SizeCommand
{
    private readonly Option<string> _rate = new("--rate")
    {
        Description = "Inserts per second to reach and hold.",
        HelpName = "inserts/s",
        Required = true,
    };
    private readonly Option<string> _from = new("--from")
    {
        Description = "The report.json of a run or of an experiment.",
        HelpName = "report.json",
        Required = true,
    };
    private readonly Option<string?> _variant = new("--variant")
    {
        Description = "The experiment's variant to go by (default: those that scale out, else the fastest).",
        HelpName = "name",
    };
    private readonly Option<string?> _prices = new("--prices")
    {
        Description = "Price file, such as infra/prices.json.",
        HelpName = "prices.json",
    };
    private readonly Option<string?> _documents = new("--documents")
    {
        Description = "Documents that the container is to hold.",
        HelpName = "n",
    };
    private readonly Option<string?> _headroom = new("--headroom")
    {
        Description = "Share of the RU/s kept spare (default 0.1).",
        HelpName = "share",
    };
    private readonly Option<bool> _json = new("--json") { Description = "Writes the result as JSON." };

    public Command Create()
    {
        var command = new Command(
            "size",
            "Says what a rate of inserts needs, by a report: RU/s, partitions, workers with an interval, and the cost by a price file. "
                + "Workers beyond those that were measured are predicted as by 'predict'.");
        foreach (var option in (Option[])[_rate, _from, _variant, _prices, _documents, _headroom, _json])
            command.Options.Add(option);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var rate = errors.Try(() => input.Value(_rate) is { } text ? (double?)NumberText.Parse(_rate.Name, text) : null);
        var headroom = errors.Try(() => input.Value(_headroom) is { } text ? (double?)NumberText.Parse(_headroom.Name, text) : null);
        var documents = errors.Try(() => input.Value(_documents) is { } text ? (long?)Whole(_documents.Name, text) : null);
        var prices = await errors.TryAsync(() => ReadPricesAsync(input, cancellationToken));
        var basis = await errors.TryAsync(() => ReadBasisAsync(input, cancellationToken));
        // A rate that is no number is an error already; any valid one stands for it while the rest is judged.
        var request = new SizingRequest
        {
            InsertsPerSecond = rate ?? 1,
            Headroom = headroom ?? SizingRequest.DefaultHeadroom,
            Documents = documents,
            Prices = prices,
        };
        errors.Add(SizingRules.Check(request).Select(error => $"{OptionOf(error.Path)}: {error.Message}"));
        errors.ThrowIfAny();

        var response = SizingCalculation.From(request, basis!.Basis, basis.Predict);
        if (input.Value(_json))
            Console.WriteLine(JsonSerializer.Serialize(response, ScaleOutJson.Indented));
        else
            Write(response);
        return ExitCode.Complete;
    }

    private static void Write(SizingResult response)
    {
        foreach (var sentence in response.Sentences)
            Console.WriteLine(sentence);
        Console.WriteLine($"  by           {response.Source}");
        foreach (var extrapolation in response.Extrapolations)
            Console.WriteLine($"  extrapolated {extrapolation}");
        foreach (var note in response.Notes)
            Console.WriteLine($"  note         {note}");
    }

    /// <summary>Null when the command line names no report, which is an error of its own.</summary>
    private async Task<MeasuredBasis?> ReadBasisAsync(CommandInput input, CancellationToken cancellationToken)
    {
        if (input.Value(_from) is not { } file)
            return null;
        var variant = input.Value(_variant);
        var report = await ReportFiles.ReadAsync(file, cancellationToken);
        if (report.Run is not null && variant is not null)
            throw new InputException($"{_variant.Name}: only for the report of an experiment, and {file} is that of a run.");
        var reading = report.Run is { } run ? SizingBases.From(run) : ExperimentSizing.Basis(report.Experiment!, variant);
        var basis = reading.Basis ?? throw new InputException([.. reading.Errors.Select(error => $"{file}: {error}")]);
        return new MeasuredBasis(basis, report.Run ?? await ReadRunAsync(file, basis, cancellationToken));
    }

    /// <summary>The report of one of the runs that a basis is from, which lie beside their experiment; null where none is there.</summary>
    private static async Task<RunReport?> ReadRunAsync(string file, SizingBasis basis, CancellationToken cancellationToken)
    {
        var folder = Directory.Exists(file) ? file : Path.GetDirectoryName(Path.GetFullPath(file));
        var reports = basis.RunIds.Select(id => Path.Combine(folder!, "..", id, RunFiles.ReportName));
        foreach (var path in reports.Where(File.Exists))
        {
            try
            {
                return (await ReportFiles.ReadAsync(path, cancellationToken)).Run;
            }
            catch (InputException)
            {
                // A damaged report of one run is no reason: any other of them will do.
            }
        }

        return null;
    }

    private async Task<PriceList?> ReadPricesAsync(CommandInput input, CancellationToken cancellationToken) =>
        input.Value(_prices) is { } file ? await InputFile.ReadPricesAsync(file, cancellationToken) : null;

    private string OptionOf(string field) => field switch
    {
        "insertsPerSecond" => _rate.Name,
        "headroom" => _headroom.Name,
        "documents" => _documents.Name,
        _ => field,
    };

    private static long Whole(string option, string text) =>
        NumberText.Parse(option, text) is var number && number == Math.Truncate(number) && Math.Abs(number) < 1e18
            ? (long)number
            : throw new InputException($"{option}: '{text}' is not a whole number.");
}

/// <summary>What a sizing goes by.</summary>
/// <param name="Basis">What was measured.</param>
/// <param name="Run">The report of a run that it is from; null where there is none.</param>
internal sealed record MeasuredBasis(SizingBasis Basis, RunReport? Run)
{
    /// <summary>Predicts what was not measured.</summary>
    public WorkerPrediction Predict(SizingResult sized)
    {
        if (Run is null)
        {
            return new WorkerPrediction
            {
                Notes = [$"none, because beside the experiment there is no report of {string.Join(" or ", Basis.RunIds)}"],
            };
        }

        try
        {
            return FleetSizing.From(sized, Run);
        }
        catch (InputException e)
        {
            return new WorkerPrediction { Notes = [.. e.Errors] };
        }
    }
}
