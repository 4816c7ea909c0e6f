using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace ScaleOut.DevBox.Commands;

/// <summary>The program's commands, and what becomes of errors in them.</summary>
internal static class CommandLine
{
    private const string DefaultCommand = "run";

    private static readonly string[] HelpAndVersion = ["--help", "-h", "-?", "/?", "/h", "--version"];

    /// <summary>Does what the arguments say and returns the process's exit code. Never throws.</summary>
    public static async Task<int> InvokeAsync(string[] arguments)
    {
        // What a thread of its own throws would end the program with a stack trace; the processes of a run leave theirs to the log of
        // their parent.
        if (arguments is not (["worker", ..] or ["account", "--run", ..]))
            AppDomain.CurrentDomain.UnhandledException += (_, error) => EndWith(error.ExceptionObject);
        try
        {
            var (parsed, faults) = Parse(arguments);
            if (faults.Count > 0)
                await RefuseAsync(parsed, faults);
            // Stopping is each command's own affair.
            return await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null });
        }
        catch (InputException e)
        {
            ErrorLines.Write(e.Faults);
            return ExitCode.BadInput;
        }
        catch (Exception e)
        {
            ErrorLines.WriteUnexpected(e, logFile: null);
            return ExitCode.Incomplete;
        }
    }

    /// <summary>Parses the arguments; without a command they are those of <c>run</c>. Faults of the command line itself come with it, none when only help is asked for.</summary>
    private static (ParseResult Parsed, IReadOnlyList<string> Faults) Parse(string[] arguments)
    {
        var root = Create();
        if (arguments is [var option, ..] && HelpAndVersion.Contains(option))
            return (root.Parse(arguments), []);
        var named = arguments is [var first, ..] ? root.Subcommands.FirstOrDefault(command => command.Name == first) : null;
        var command = named ?? root.Subcommands.First(command => command.Name == DefaultCommand);

        var unknown = UnknownOptions.TakeOut(command, root.Options.Where(option => option.Recursive), named is null ? arguments : arguments[1..]);
        var parsed = root.Parse([command.Name, .. unknown.Kept]);
        if (parsed.Action is not (null or ParseErrorAction) && parsed.Action != command.Action)
            return (parsed, []);
        var errors = parsed.Errors.Where(error => !(unknown.TookValue && IsMissingArgument(error))).Select(Describe);
        return (parsed, [.. unknown.Faults.Concat(errors).Distinct()]);
    }

    private static void EndWith(object error)
    {
        ErrorLines.WriteUnexpected(error as Exception ?? new InvalidOperationException(error.ToString()), logFile: null);
        Environment.Exit(ExitCode.Incomplete);
    }

    private static async Task RefuseAsync(ParseResult parsed, IReadOnlyList<string> faults)
    {
        if (parsed.CommandResult.Command.Action is CommandAction action)
            await action.RefuseAsync(parsed, faults);
        throw new InputException(faults);
    }

    private static bool IsMissingArgument(ParseError error) => error.SymbolResult is ArgumentResult { Parent: CommandResult, Tokens.Count: 0 };

    private static string Describe(ParseError error) =>
        IsMissingArgument(error) ? $"The argument '{((ArgumentResult)error.SymbolResult!).Argument.Name}' is missing." : error.Message;

    private static RootCommand Create()
    {
        var root = new RootCommand("Puts a scale-out write load on Azure Cosmos DB, or on a simulated account on this machine, and reports what limits it.");
        root.Subcommands.Add(new RunCommand().Create());
        root.Subcommands.Add(new ExperimentCommand().Create());
        root.Subcommands.Add(new ResumeCommand().Create());
        root.Subcommands.Add(new CompareCommand().Create());
        root.Subcommands.Add(new SizeCommand().Create());
        root.Subcommands.Add(new ValidateCommand().Create());
        root.Subcommands.Add(new ServeCommand().Create());
        root.Subcommands.Add(new AccountCommand().Create());
        root.Subcommands.Add(WorkerCommand.Create());
        if (root.Options.OfType<HelpOption>().FirstOrDefault() is { Action: HelpAction help } option)
            option.Action = new HelpWithExamples(help);
        return root;
    }
}
