namespace ScaleOut.DevBox.Commands;

/// <summary>
/// <c>size</c>: which fleet a rate takes, or what a fleet of so many workers does, by simulating fleets in virtual time.
/// </summary>
internal sealed class SizeCommand
{
    private const string DefaultSpecFile = "sized.json";

    private readonly Argument<string?> _base = new("spec")
    {
        Description = "A spec, the report.json of a run, its folder or its id; without it the defaults of 'run'.",
        Arity = ArgumentArity.ZeroOrOne,
    };
    private readonly SizeOptions _options = new();
    private readonly TextOption _spec = new(
        "--spec", "file", $"With --rate: file for the spec of a run of the fleet that was found (default {DefaultSpecFile}, overwritten).");
    private readonly RunsFolderOption _out = new();
    private readonly ResultOutput _output = new("the result");

    public Command Create() => new CommandWithExamples(
        "size",
        "Says which fleet a rate takes (--rate) or a load within a time (--within), or what a fleet does (--workers), by simulating "
            + "fleets in virtual time. Ends with 1 if no fleet holds the rate.",
        RunAsync,
        (
            "size --rate 8000 --until \"p99<20ms\" --document order.json",
            "the fleet for your documents; --report writes its page"),
        ("size nightly --workers 200", "what 200 workers would do, by what the run 'nightly' measured"))
    {
        _base, _options.All, _spec, _out, _output.All,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var readers = new SizeReaders(() => ReadSourceAsync(input, cancellationToken), () => ReadDocumentAsync(input, cancellationToken));
        var asked = await _options.ReadAsync(input, errors, readers, cancellationToken);
        if (!_options.IsByRate(input) && input.Value(_spec) is not null)
            errors.Add(["--spec: only with --rate or --within."]);
        if (asked is not null)
            errors.Add(MachineChecks.DocumentErrors(asked.Spec).Select(
                error => SpecOption.Describe(error, input.Value(_base), _options.Given(input))));
        _output.CheckFiles(input, errors);
        errors.ThrowIfAny();

        var result = await asked!.RespondAsync(async run =>
        {
            await Console.Error.WriteLineAsync(
                "Measuring the CPU of an operation: one worker on one core of this machine, about 12 s. --cpu-per-operation gives it "
                    + "instead.");
            return await MeasuringRun.RunAsync(run, cancellationToken);
        }, cancellationToken);
        if (result.Reached == true)
        {
            var file = input.Value(_spec) ?? DefaultSpecFile;
            await OutputFile.WriteAsync(_spec.Name, file, SizedSpec.From(asked.Fields, asked.Spec, result), cancellationToken);
            result = result with { SpecFile = file };
        }

        await _output.WriteAsync(input, result, SizePage.From);
        return result.Reached == false ? ExitCode.Incomplete : ExitCode.Complete;
    }

    /// <summary>The fields of a spec that say what documents are; null to use those of the source.</summary>
    private async Task<JsonObject?> ReadDocumentAsync(CommandInput input, CancellationToken cancellationToken) =>
        input.Value(_options.Document) is { } given ? await _options.Document.FieldsAsync(given, cancellationToken) : null;

    private async Task<SizeSource> ReadSourceAsync(CommandInput input, CancellationToken cancellationToken)
    {
        if (input.Value(_base) is not { } given)
            return SizeSource.Default;
        var runsFolder = _out.Read(input);
        var path = ReportFiles.PathOf(given, runsFolder);
        if (!Directory.Exists(path))
        {
            var text = await InputFile.ReadAsync(path, "spec or report", cancellationToken);
            if (ExperimentSpecReader.IsDocument(text))
                throw new InputException($"{path}: {DocumentOption.MistakenFor(path)}");
            if (!IsReport(text))
                return new SizeSource(text, null, path);
        }

        var report = (await ReportFiles.ReadAsync(path, runsFolder, cancellationToken)).Run
            ?? throw new InputException($"{path}: the report of an experiment; give that of one of its runs.");
        return SizeSource.From(report, path);
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
}
