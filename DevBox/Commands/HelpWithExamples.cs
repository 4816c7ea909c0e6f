using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace ScaleOut.DevBox.Commands;

/// <summary>The usual help, then the options in groups and examples. The program's own help also has exit codes.</summary>
internal sealed class HelpWithExamples(HelpAction help) : SynchronousCommandLineAction
{
    /// <summary>What the program says if it is started without arguments.</summary>
    public const string First =
        """
        devbox: how far does a Cosmos DB client fleet scale, and what stops it?

          devbox run --throughput 5000 --documents 25000 --concurrency 2
              four workers insert into a simulated account for half a minute, and a
              report says what limits them
          devbox size --rate 2000
              which workers, client settings and RU/s hold 2,000 inserts per second
          devbox serve
              a page to start runs, to watch them and to read their reports

        'devbox run' is the main job: a million inserts at 60,000 RU/s.
        'devbox --help' lists all commands, 'devbox help COMMAND' the options of one.

        """;

    private const int Indent = 2;

    /// <summary>Columns of the widest option whose description stands beside it.</summary>
    private const int OptionColumns = 22;

    private const int LeastColumns = 40;
    private const int DefaultColumns = 80;

    private const string Common = "Common";
    private const string Load = "Load";
    private const string Documents = "Documents";
    private const string Target = "Target";
    private const string Report = "Report";

    private static readonly (string Line, string About)[] Examples =
    [
        ("run --throughput 5000 --documents 25000 --concurrency 2", "25,000 inserts by four workers, half a minute at 5,000 RU/s"),
        ("run", "a million inserts at 60,000 RU/s"),
        ("run --documents 20000 --fail-if \"throttledShare>0.05\"", "exit code 3 if it holds, for pipelines"),
        ("run --id nightly --out results --json report.json", "a run with a name and files of its own"),
        ("resume nightly --out results", "goes on with a run whose program was killed"),
        (
            "--account https://my.documents.azure.com --container orders",
            "a real account: key in COSMOS_KEY, else the identity that is signed in"),
        ("plans", "lists the ready-made plans and copies them"),
        ("experiment plans/scale-out.json --id scaling", "runs its variants; the same command goes on after an interruption"),
        ("limit --throughput 10000 --until \"p99<20ms\"", "the highest rate that holds, and what stops it"),
        ("compare before after", "what differs between two runs or experiments, and what is the same"),
        ("size --rate 50000", "which workers and RU/s a rate takes, by simulating fleets"),
        ("init my.jsonc", "asks six questions and writes a spec with comments"),
        ("validate my.jsonc", "what is wrong with a spec, or what it will take"),
        ("serve", "the HTTP interface, and a page to start, watch and read runs"),
        ("account --port 8081", "only the simulated account, for other clients"),
        ("calibrate --account https://my.documents.azure.com", "measures what its operations cost and how long they take"),
        ("completion bash", "a script that lets bash complete commands, options and their values"),
    ];

    private static readonly string[] Closing =
    [
        "Options without a command are those of 'run', which 'devbox run --help' lists. Each command's help has examples of its own.",
        "",
        "Exit codes: 0 complete, 1 incomplete or failed, 2 bad input, 3 --fail-if holds, 5 not valid, 130 stopped. The first "
            + "Ctrl+C stops a run and reports, the second ends at once. A closed pipe, as of 'devbox run | head -1', stops it too.",
        "",
    ];

    public override bool ClearsParseErrors => true;

    /// <summary>The width that COLUMNS gives, else that of the terminal, else 80.</summary>
    private static int Columns =>
        int.TryParse(Environment.GetEnvironmentVariable("COLUMNS"), CultureInfo.InvariantCulture, out var given) && given >= LeastColumns
            ? given
            : WrappingWriter.ColumnsOf(ConsolePage.Output) is < int.MaxValue and >= LeastColumns and var width ? width : DefaultColumns;

    public override int Invoke(ParseResult parseResult)
    {
        var command = parseResult.CommandResult.Command;
        var options = command is RootCommand ? [] : command.Options.Where(option => !option.Hidden && option is not HelpOption).ToList();
        // The usual help shows what is left: the option of the help itself.
        options.ForEach(option => option.Hidden = true);
        options.OfType<SpecOption>().ToList().ForEach(option => option.Explain());
        // The usual help names the program by its file, which is DevBox.dll; users type 'devbox'.
        var (output, columns) = (parseResult.InvocationConfiguration.Output, Columns);
        using var text = new StringWriter();
        parseResult.InvocationConfiguration.Output = text;
        help.MaxWidth = columns;
        var exitCode = help.Invoke(parseResult);
        options.ForEach(option => option.Hidden = false);
        parseResult.InvocationConfiguration.Output = output;
        var ownName = $"  {RootCommand.ExecutableName} ";
        output.Write(text.ToString().Replace(ownName, $"  {CommandLineText.Program} ", StringComparison.Ordinal));
        IEnumerable<string> lines = command is RootCommand
            ? [.. ExampleLines(Examples), .. Closing]
            : [.. GroupLines(options), .. ExampleLines((command as CommandWithExamples)?.Examples ?? [])];
        foreach (var line in lines.SelectMany(line => WrappedLines.From(line, columns)))
            output.WriteLine(line);
        return exitCode;
    }

    private static IEnumerable<string> ExampleLines(IReadOnlyList<(string Line, string About)> examples) => examples.Count == 0 ? [] :
    [
        "Examples:",
        .. examples.SelectMany(one => (string[])[$"  {CommandLineText.Program} {one.Line}", $"      {one.About}"]),
        "",
    ];

    private static IEnumerable<string> GroupLines(IEnumerable<Option> options) =>
        from option in options
        group option by GroupOf(option) into ofOne
        orderby Array.IndexOf([Common, Load, Documents, Target, Report], ofOne.Key)
        from line in (IEnumerable<string>)[$"{ofOne.Key}:", .. ofOne.SelectMany(OptionLines), ""]
        select line;

    /// <summary>What an option is about: by the section of the spec that it sets, else by its name.</summary>
    private static string GroupOf(Option option) => option switch
    {
        SpecOption { Path: var path } => path.Split('.')[0] switch
        {
            "document" => Documents,
            "container" or "simulation" or "base" => Target,
            "documents" or "workers" or "client" or "workload" => Load,
            _ => Common,
        },
        { Name: "--json" or "--report" or "--quiet" or "--fail-if" or "--strict" or "--otlp" or "--out" or "--prices" } => Report,
        TableAccountOption or { Name: "--account" or "--account-resource-id" or "--account-thumbprint" or "--profile" } => Target,
        _ => Common,
    };

    /// <summary>An option with its description beside it, or below it if its values are long.</summary>
    private static IEnumerable<string> OptionLines(Option option)
    {
        var values = option.ValueType == typeof(bool) ? "" : $" <{option.HelpName}>";
        var label = $"{string.Join(", ", option.Aliases.Prepend(option.Name))}{values}";
        var about = option.HasDefaultValue && option.GetDefaultValue() is string value
            ? $"{option.Description} Default {value}."
            : option.Description;
        if (label.Length <= OptionColumns)
        {
            yield return $"{"",Indent}{label,-OptionColumns}  {about}";
            yield break;
        }

        yield return $"{"",Indent}{label.Replace("|", " | ", StringComparison.Ordinal)}";
        yield return $"{"",Indent + OptionColumns + Indent}{about}";
    }
}
