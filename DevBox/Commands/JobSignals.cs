namespace ScaleOut.DevBox.Commands;

/// <summary>Ctrl+C on a command that runs a job: the first stops the job, the second ends the program at once.</summary>
internal static class JobSignals
{
    private const string ShowCursor = "\u001b[?25h";

    /// <summary>Listens until disposed.</summary>
    /// <param name="kill">Ends the job's processes.</param>
    public static StopSignals Listen(Action stop, Action kill) => StopSignals.Listen(
        onFirst: stop,
        onSecond: () =>
        {
            kill();
            if (!Console.IsOutputRedirected)
                Console.Out.Write(ShowCursor);
            Environment.Exit(ExitCode.Stopped);
        });

    /// <summary>How a user resumes a job once the cause of an error is corrected.</summary>
    public static string GoOn(RunFolder folder) =>
        $"Once the cause is removed, go on with: {folder.ResumeCommand}";

    /// <summary>
    /// Whether the condition under which a complete job fails holds. A line says so, with the figures that were judged: an error line if
    /// it holds.
    /// </summary>
    /// <param name="condition">Null for none.</param>
    /// <param name="text">Receives the line if the condition does not hold.</param>
    public static async Task<bool> FailIfHoldsAsync(
        FailIfCondition? condition, IReadOnlyDictionary<string, double?> numbers, TextWriter text)
    {
        if (condition is null)
            return false;
        var (holds, judged) = (condition.Holds(numbers), $"{condition.Text} ({condition.Describe(numbers)})");
        if (holds)
            ErrorLines.Write([$"--fail-if holds: {judged}"]);
        else
            await text.WriteLineAsync($"--fail-if does not hold: {judged}");
        return holds;
    }
}
