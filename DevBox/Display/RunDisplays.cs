using Spectre.Console;

namespace ScaleOut.DevBox.Display;

/// <summary>Picks the display for where the output goes.</summary>
internal static class RunDisplays
{
    /// <param name="output">Standard output, or standard error where the report goes to the output.</param>
    /// <param name="heading">One line about the run.</param>
    public static IRunDisplay For(TextWriter output, bool redirected, string heading)
    {
        if (redirected)
            return new PlainDisplay(output, heading: heading);
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new OutputWithMargin(new AnsiConsoleOutput(output)) });
        return console.Profile.Capabilities is { Ansi: true, Interactive: true }
            ? new LiveDisplay(console, heading)
            : new PlainDisplay(output, heading: heading);
    }
}

/// <summary>
/// A terminal of which the last columns stay free. Pictures are filled up to their width, and what the terminal shows of Ctrl+C behind them
/// would otherwise go on to the next line, so that each following picture begins a line too low.
/// </summary>
internal sealed class OutputWithMargin(IAnsiConsoleOutput inner) : IAnsiConsoleOutput
{
    private const int Margin = 3;

    public TextWriter Writer => inner.Writer;

    public bool IsTerminal => inner.IsTerminal;

    public int Width => Math.Max(Margin, inner.Width - Margin);

    public int Height => inner.Height;

    public void SetEncoding(Encoding encoding) => inner.SetEncoding(encoding);
}

/// <summary>Shows a run while it goes on.</summary>
internal interface IRunDisplay
{
    /// <summary>Shows the tally until the work ends, however it ends, and gives back what it gave.</summary>
    Task<T> ShowWhileAsync<T>(RunTally tally, Task<T> work);
}

/// <summary>Shows an experiment while it goes on.</summary>
internal interface IExperimentDisplay
{
    /// <summary>Says which run is on.</summary>
    void Show(ExperimentStatus status);

    /// <summary>Shows a run until it ends, and gives back what it gave.</summary>
    Task<T> ShowWhileAsync<T>(PlannedRun run, RunTally tally, Task<T> work);

    /// <summary>Says what a run measured.</summary>
    void Ended(PlannedRun run, RunResult result);

    /// <summary>Shows a note.</summary>
    void Note(string text);

    /// <summary>Says of a run that it was measured before.</summary>
    void Found(PlannedRun run, RunReport report);
}
