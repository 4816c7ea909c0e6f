using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace ScaleOut.DevBox.Commands;

/// <summary>The program's commands, and what becomes of errors in them.</summary>
internal static class CommandLine
{
    private const string DefaultCommand = "run";

    private static readonly string[] HelpAndVersion = ["--help", "-h", "-?", "/?", "/h", "--version"];

    /// <summary>Does what the arguments say and returns the process's exit code. Never throws.</summary>
    public static async Task<int> InvokeAsync(string[] arguments)
    {
        try
        {
            var parsed = Parse(arguments);
            if (parsed.Action is ParseErrorAction)
                throw new InputException([.. parsed.Errors.Select(error => error.Message).Distinct()]);
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

    /// <summary>Parses the arguments; without a command they are those of <c>run</c>.</summary>
    private static ParseResult Parse(string[] arguments)
    {
        var root = Create();
        var first = arguments.FirstOrDefault();
        var named = first is not null && (HelpAndVersion.Contains(first) || root.Subcommands.Any(command => command.Name == first));
        return root.Parse(named ? arguments : [DefaultCommand, .. arguments]);
    }

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
