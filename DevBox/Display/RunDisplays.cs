using Spectre.Console;

namespace ScaleOut.DevBox.Display;

/// <summary>Picks the display for where the output goes.</summary>
internal static class RunDisplays
{
    /// <param name="output">Standard output, or standard error where the report goes to the output.</param>
    /// <param name="redirected">Whether it is no terminal.</param>
    /// <param name="heading">One line about the run.</param>
    public static IRunDisplay For(TextWriter output, bool redirected, string heading)
    {
        if (redirected)
            return new PlainDisplay(output);
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(output) });
        return console.Profile.Capabilities is { Ansi: true, Interactive: true } ? new LiveDisplay(console, heading) : new PlainDisplay(output);
    }
}
