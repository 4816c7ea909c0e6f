using System.CommandLine.Parsing;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// The options of <c>size</c> as JSON: each field has the name of an option in camel case, and is read as that option. A request has no
/// file names. It contains the spec or the documents themselves, or it names a run of the server.
/// </summary>
internal sealed partial class SizeRequests(IRunStore store)
{
    private const string SpecField = "spec";
    private const string RunField = "run";
    private const string DocumentField = "document";
    private const string PricesField = "prices";

    public async Task<ReadResult<SizeOutcome>> RespondAsync(
        JsonObject question, Func<RunSpec, Task<RunReport>> measureAsync, CancellationToken cancellationToken)
    {
        var options = new SizeOptions();
        var (given, unreadable) = Given(question, options);
        var command = new Command("size") { options.All };
        var parsed = new RootCommand { command }.Parse(["size", .. given.Select(one => $"{one.Option}={one.Text}")]);
        var input = new CommandInput(parsed, [.. parsed.Errors.Select(
            error => new InputError((error.SymbolResult as OptionResult)?.Option.Name ?? "", error.Message))]);
        var errors = input.Errors();
        try
        {
            var readers = new SizeReaders(
                () => ReadSourceAsync(question, cancellationToken), () => Task.FromResult(DocumentOf(question)))
            {
                Prices = question[PricesField] as JsonObject,
                ReadsFiles = false,
            };
            var asked = await options.ReadAsync(input, errors, readers, cancellationToken);
            if (asked?.Spec.Document.Csv is not null)
                errors.Add("document.csv", "a server reads no files of its own machine; the command size does.");
            errors.Add(unreadable);
            errors.ThrowIfAny();
            var result = await asked!.RespondAsync(measureAsync, cancellationToken);
            var spec = result.Reached == true ? JsonNode.Parse(SizedSpec.From(asked.Fields, asked.Spec, result))!.AsObject() : null;
            return new(new SizeOutcome(result, spec), []);
        }
        catch (InputException e)
        {
            return new(null, [.. e.Errors.Select(ErrorOf).Distinct()]);
        }
    }

    /// <summary>The options that a request gives, and the errors of its other fields.</summary>
    private static (List<(string Option, string Text)> Given, List<InputError> Errors) Given(JsonObject question, SizeOptions options)
    {
        // In place of a price file a request has its JSON.
        var known = options.All.Where(option => !SizeOptions.OfFiles.Contains(option.Name)).ToDictionary(option => NameOf(option.Name));
        var (given, errors) = (new List<(string, string)>(), new List<InputError>());
        foreach (var (name, value) in question)
        {
            if (name is SpecField or RunField || value is null || (name is DocumentField or PricesField && value is JsonObject))
                continue;
            if (!known.TryGetValue(name, out var option))
                errors.Add(new(name, NearestName.From(name, [.. known.Keys, SpecField, RunField]) is { } near
                    ? $"there is no such field; did you mean '{near}'?"
                    : "there is no such field."));
            else if (value is JsonValue one && one.GetValueKind() is JsonValueKind.String or JsonValueKind.Number)
                given.Add((option.Name, one.ToString()));
            else
                errors.Add(new(name, "is neither a string nor a number."));
        }

        return (given, errors);
    }

    private async Task<SizeSource> ReadSourceAsync(JsonObject question, CancellationToken cancellationToken)
    {
        var (spec, run) = (question[SpecField], question[RunField]);
        if (spec is not null && run is not null)
            throw new InputException(SpecField, $"not beside {RunField}; give one of them.");
        if (spec is not null)
            return spec is JsonObject
                ? new SizeSource(spec.ToJsonString(), null, null)
                : throw new InputException(SpecField, "is not the JSON of a spec.");
        if (run is null)
            return SizeSource.Default;
        var id = run.ToString();
        var report = TextForm.RunId.Fits(id) && await new RunFiles(store, id).ReadSpecAsync(cancellationToken) is not null
            ? await RunForms.Kind.ReadAsync(store, id, cancellationToken)
            : null;
        return report is null
            ? throw new InputException(RunField, $"{ErrorText.Quote(id)} names no run that has a report.")
            : SizeSource.From(report, file: null);
    }

    private static JsonObject? DocumentOf(JsonObject question) => question[DocumentField] switch
    {
        JsonObject template => SizeSource.DocumentFieldsOf(template.DeepClone().AsObject(), withAccount: true),
        JsonValue kind => SizeSource.DocumentFieldsOf(kind.ToString()),
        _ => null,
    };

    /// <summary>Turns an error of the command into one of the HTTP interface, which names fields in place of options.</summary>
    private static ValidationError ErrorOf(InputError error) =>
        new(NameOf(error.Field), OptionName().Replace(error.Message, option => NameOf(option.Value)).TrimEnd('.'));

    /// <summary>Such as <c>cpuPerOperation</c> for <c>--cpu-per-operation</c>. A path of a spec stays as it is.</summary>
    private static string NameOf(string option) => option.StartsWith("--", StringComparison.Ordinal)
        ? string.Concat(option.Split('-', StringSplitOptions.RemoveEmptyEntries)
            .Select((word, i) => i == 0 ? word : char.ToUpperInvariant(word[0]) + word[1..]))
        : option;

    [GeneratedRegex("--[a-z]+(-[a-z]+)*")]
    private static partial Regex OptionName();
}
