using System.CommandLine.Completions;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>plans</c>: lists the ready-made plans, or copies them to files.</summary>
internal sealed class PlansCommand
{
    private const string All = "all";

    private readonly Argument<string[]> _names = new("name")
    {
        Description = $"Plans to copy, or '{All}'; without a name they are listed.",
        Arity = ArgumentArity.ZeroOrMore,
        CompletionSources = { _ => ReadyPlans.Names.Append(All).Select(name => new CompletionItem(name)) },
    };

    private readonly Option<string> _out = new("--out")
    {
        Description = "Folder that the copies are written to.",
        HelpName = "folder",
        DefaultValueFactory = _ => "plans",
    };

    public Command Create() => new CommandWithExamples(
        "plans",
        "Lists the ready-made plans and prices that come with the program, or copies them to files.",
        RunAsync,
        ("plans", "what there is"),
        ("plans orders scale-out prices", "writes plans/orders.json, plans/scale-out.json and plans/prices.json"))
    {
        _names, _out,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var names = input.Value(_names) ?? [];
        if (names.Contains(All))
            names = [.. ReadyPlans.Names];
        errors.Add(names.Except(ReadyPlans.Names).Select(name => NearestName.From(name, ReadyPlans.Names) is { } near
            ? $"There is no plan '{name}'; did you mean '{near}'?"
            : $"There is no plan '{name}'. The plans are {string.Join(", ", ReadyPlans.Names)}."));
        var folder = input.Value(_out);
        if (string.IsNullOrWhiteSpace(folder))
            errors.Add([$"{_out.Name}: the folder has no name."]);
        errors.ThrowIfAny();
        if (names.Length == 0)
        {
            foreach (var line in ReadyPlans.List())
                await ConsolePage.Output.WriteLineAsync(line);
            return ExitCode.Complete;
        }

        foreach (var file in await CopyAsync([.. names.Distinct()], folder!, cancellationToken))
            Console.WriteLine($"written: {file}");
        return ExitCode.Complete;
    }

    /// <summary>Copies plans, and the schemas that they name for editors.</summary>
    /// <returns>Paths of the plans.</returns>
    /// <exception cref="InputException">A file is there with other content, or cannot be written.</exception>
    private static async Task<IReadOnlyList<string>> CopyAsync(
        IReadOnlyList<string> names, string folder, CancellationToken cancellationToken)
    {
        var plans = names.Select(name => CopyOf($"{name}.json")).ToList();
        var schemas = plans.Select(plan => ReadyPlans.SchemaOf(plan.Text)).OfType<string>().Distinct().Select(CopyOf);
        List<(string Path, string Text)> copies = [.. schemas, .. plans];
        try
        {
            var differing = copies.Where(copy => Path.Exists(copy.Path) && !Has(copy.Path, copy.Text)).Select(copy => copy.Path).ToList();
            if (differing.Count > 0)
                throw new InputException(
                    [.. differing.Select(path => $"{path}: is there already with other content, and no file is overwritten.")]);
            Directory.CreateDirectory(folder);
            foreach (var (path, text) in copies)
                await File.WriteAllTextAsync(path, text, cancellationToken);
            return [.. plans.Select(plan => plan.Path)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"--out: the plans cannot be written to '{folder}': {OneLine.From(e.Message)}");
        }

        (string Path, string Text) CopyOf(string file) => (Path.Combine(folder, file), ReadyPlans.TextOf(file));
    }

    private static bool Has(string path, string text) => File.Exists(path) && File.ReadAllText(path) == text;
}
