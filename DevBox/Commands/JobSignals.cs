namespace ScaleOut.DevBox.Commands;

/// <summary>
/// Ctrl+C on a command that runs a job: the first stops the job, the second ends the program at once. A standard output that nobody reads
/// any more, such as that of <c>devbox run | head -1</c>, is a first Ctrl+C.
/// </summary>
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
        },
        isUnread: Console.IsOutputRedirected && !RawStandardError.IsOutputClosed ? RawStandardError.IsOutputUnread : null);

    /// <summary>How a user resumes a job once the cause of an error is corrected.</summary>
    public static string GoOn(RunFolder folder) =>
        $"Once the cause is removed, go on with: {folder.ResumeCommand}";
}
