using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace ScaleOut.DevBox.Commands;

/// <summary>The program's commands, and the handling of their errors.</summary>
internal static class CommandLine
{
    private const string DefaultCommand = "run";

    /// <summary>An argument that begins with <c>@</c> is taken as it is, and not as a file of arguments.</summary>
    private static readonly ParserConfiguration Words = new() { ResponseFileTokenReplacer = null };

    private static readonly string[] HelpAndVersion = ["--help", "-h", "-?", "/?", "/h", "--version"];

    /// <summary>Executes the command line and returns the process's exit code. Never throws.</summary>
    public static async Task<int> InvokeAsync(string[] arguments)
    {
        // An exception on another thread would end the program with a stack trace. The processes of a run leave such traces to their
        // parent's log.
        var isOfRun = arguments is ["worker", ..] or ["account", "--run", ..];
        if (!isOfRun)
            AppDomain.CurrentDomain.UnhandledException += (_, error) => EndWith(error.ExceptionObject);
        try
        {
            if (arguments is [])
            {
                await Console.Out.WriteAsync(HelpWithExamples.First);
                return ExitCode.Complete;
            }

            if (!isOfRun)
                CheckWorkingFolder();
            if (arguments is ["help", .. var helped])
                arguments = [.. helped, "--help"];
            if (arguments is [['[', ..], ..])
                return await Create().Parse(arguments).InvokeAsync();
            var (parsed, errors) = Parse(arguments);
            if (errors.Count > 0)
                await RejectAsync(parsed, errors);
            // Each command handles its stop itself.
            return await parsed.InvokeAsync(
                new InvocationConfiguration { EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null });
        }
        catch (InputException e)
        {
            ErrorLines.Write(e.Errors.Select(error => error.Line));
            return ExitCode.BadInput;
        }
        catch (AccountDataException e)
        {
            ErrorLines.Write(e.Errors);
            return ExitCode.BadInput;
        }
        catch (UnauthorizedAccessException e)
        {
            // The message names the file or folder, so the user can correct its permissions.
            ErrorLines.Write([OneLine.From(e.Message)]);
            return ExitCode.BadInput;
        }
        catch (Exception e)
        {
            ErrorLines.WriteUnexpected(e, logFile: null);
            return ExitCode.Incomplete;
        }
    }

    /// <summary>Paths on the command line begin at the working folder, which may have been deleted since the shell entered it.</summary>
    /// <exception cref="InputException">It is gone, or cannot be read.</exception>
    private static void CheckWorkingFolder()
    {
        try
        {
            _ = Directory.GetCurrentDirectory();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                $"the working folder was deleted, or it cannot be read. Change to another one: {OneLine.From(e.Message)}");
        }
    }

    /// <summary>
    /// Parses the arguments; without a command they are those of <c>run</c>. Returns the errors of the command line, too, or none if only
    /// help is asked for.
    /// </summary>
    private static (ParseResult Parsed, IReadOnlyList<InputError> Errors) Parse(string[] arguments)
    {
        var root = Create();
        if (arguments is [var option, ..] && HelpAndVersion.Contains(option))
            return (root.Parse(arguments, Words), []);
        var named = arguments is [var first, ..] ? root.Subcommands.FirstOrDefault(command => command.Name == first) : null;
        var command = named ?? root.Subcommands.First(command => command.Name == DefaultCommand);
        if (named is null && arguments is [var word, ..] && IsBareWord(word))
            return (root.Parse([command.Name], Words), [NoCommand(root, word)]);

        var unknown = new UnknownOptions(
            command, root.Options.Where(option => option.Recursive), named is null ? arguments : arguments[1..]);
        var parsed = root.Parse([command.Name, .. unknown.Kept], Words);
        if (parsed.Action is not (null or ParseErrorAction) && parsed.Action != command.Action)
            return (parsed, []);
        var errors = parsed.Errors.Where(error => !(unknown.TookValue && IsMissingArgument(error))).Select(Describe);
        return (parsed, [.. unknown.Errors.Concat(errors).Distinct()]);
    }

    /// <summary>Whether an argument can only be meant as a command: neither an option nor the path of a file.</summary>
    private static bool IsBareWord(string argument) =>
        argument.Length > 0 && char.IsAsciiLetter(argument[0]) && argument.All(c => char.IsAsciiLetterOrDigit(c) || c == '-')
        && !Path.Exists(argument);

    private static string NoCommand(RootCommand root, string word)
    {
        var names = root.Subcommands.Where(command => !command.Hidden).Select(command => command.Name).ToList();
        var near = NearestName.From(word, names);
        return $"There is no command '{word}', and no spec file of that name"
            + (near is null ? $". The commands are {string.Join(", ", names)}." : $"; did you mean '{near}'?");
    }

    private static void EndWith(object error)
    {
        ErrorLines.WriteUnexpected(error as Exception ?? new InvalidOperationException(error.ToString()), logFile: null);
        Environment.Exit(ExitCode.Incomplete);
    }

    private static async Task RejectAsync(ParseResult parsed, IReadOnlyList<InputError> errors)
    {
        if (parsed.CommandResult.Command.Action is CommandAction action)
            await action.RejectAsync(parsed, errors);
        throw new InputException(errors);
    }

    private static bool IsMissingArgument(ParseError error) =>
        error.SymbolResult is ArgumentResult { Parent: CommandResult, Tokens.Count: 0 };

    private static string Describe(ParseError error) =>
        IsMissingArgument(error) ? $"The argument '{((ArgumentResult)error.SymbolResult!).Argument.Name}' is missing." : error.Message;

    internal static RootCommand Create()
    {
        var root = new RootCommand(
            "Generates a scale-out write load on Azure Cosmos DB, or on a simulated account on this machine, and reports what limits it.")
        {
            new RunCommand().Create(),
            new ExperimentCommand().Create(),
            new LimitCommand().Create(),
            new ResumeCommand().Create(),
            new CompareCommand().Create(),
            new SizeCommand().Create(),
            new InitCommand().Create(),
            new PlansCommand().Create(),
            new ValidateCommand().Create(),
            new ServeCommand().Create(),
            new AccountCommand().Create(),
            new ProfileCommand().Create(),
            new CalibrateCommand().Create(),
            CompletionCommand.Create(),
            WorkerCommand.Create(),
        };
        if (root.Options.OfType<HelpOption>().FirstOrDefault() is { Action: HelpAction help } option)
            option.Action = new HelpWithExamples(help);
        return root;
    }
}
