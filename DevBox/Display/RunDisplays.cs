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
/// A terminal whose last columns stay free. Pictures fill their lines up to the full width. Without the margin, the ^C that a terminal
/// shows behind them would wrap to the next line, and each later picture would begin a line too low.
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
    /// <summary>Shows the tally until the work ends or fails, and returns its result.</summary>
    Task<T> ShowWhileAsync<T>(RunTally tally, Task<T> work);
}

/// <summary>Shows an experiment while it goes on.</summary>
internal interface IExperimentDisplay
{
    /// <summary>Shows which run is under way.</summary>
    void Show(ExperimentStatus status);

    /// <summary>Shows a run until it ends, and returns its result.</summary>
    Task<T> ShowWhileAsync<T>(PlannedRun run, RunTally tally, Task<T> work);

    /// <summary>Shows what a run measured.</summary>
    void Ended(PlannedRun run, RunResult result);

    void Note(string text);

    /// <summary>Shows that a run was measured before.</summary>
    void Found(PlannedRun run, RunReport report);
}

internal sealed record RunResult
{
    public required RunOutcome Outcome { get; init; }

    public required RunReport Report { get; init; }

    /// <summary>Whether the container could not be prepared, so that nothing was written.</summary>
    public required bool Rejected { get; init; }

    /// <summary>Whether the user asked for the stop.</summary>
    public required bool StoppedByUser { get; init; }

    /// <summary>Whether the simulated account ended before the run did.</summary>
    public required bool AccountGone { get; init; }

    /// <summary>Whether nothing is left to do. If something is, resuming the run does it.</summary>
    public required bool Ended { get; init; }

    /// <summary>The comparison of the report with the simulated account's ledger; null if there is none.</summary>
    public LedgerComparison? Ledger { get; init; }
}
