namespace ScaleOut.DevBox.Commands;

/// <summary>The option that leaves the console to warnings and errors.</summary>
internal sealed class QuietOption : Option<bool>
{
    public QuietOption()
        : base("--quiet") =>
        Description = "Writes nothing on the console but warnings and errors; files and the exit code have the result.";
}

/// <summary>The console of a command.</summary>
/// <param name="quiet">Leaves it to warnings and errors.</param>
/// <param name="json">Takes the standard output, if its file is that.</param>
internal sealed class CommandConsole(QuietOption quiet, JsonFileOption json)
{
    public TextWriter Text(CommandInput input)
    {
        var (output, redirected) = Terminal(input);
        return WrappingWriter.For(output, redirected);
    }

    /// <param name="heading">One line about the run.</param>
    public IRunDisplay Display(CommandInput input, string heading)
    {
        var (output, redirected) = Terminal(input);
        return RunDisplays.For(output, redirected, heading);
    }

    private (TextWriter Output, bool Redirected) Terminal(CommandInput input) =>
        input.Value(quiet) ? (TextWriter.Null, true)
        : json.IsStandardOutput(input) ? (Console.Error, Console.IsErrorRedirected)
        : (Console.Out, Console.IsOutputRedirected);
}
