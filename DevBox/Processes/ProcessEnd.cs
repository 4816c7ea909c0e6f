namespace ScaleOut.DevBox.Processes;

/// <summary>Ends processes, and describes how they ended.</summary>
internal static class ProcessEnd
{
    private const int SignalBase = 128;

    private static readonly Dictionary<int, string> Signals = new Dictionary<int, string>
    {
        [1] = "SIGHUP",
        [2] = "SIGINT",
        [6] = "SIGABRT",
        [9] = "SIGKILL",
        [11] = "SIGSEGV",
        [15] = "SIGTERM",
    };

    /// <summary>Such as <c>exit code 137, SIGKILL</c>.</summary>
    /// <param name="lastError">
    /// What a process that never said a word wrote last to its standard error. Then its exit code is its own: a .NET host that cannot start
    /// has 137, too.
    /// </param>
    public static string Describe(Process process, string? lastError = null) =>
        !process.HasExited ? "still running"
        : lastError is { Length: > 0 } ? $"exit code {process.ExitCode}; its last line: {OneLine.From(lastError)}"
        : Signals.TryGetValue(process.ExitCode - SignalBase, out var signal) ? $"exit code {process.ExitCode}, {signal}"
        : $"exit code {process.ExitCode}";

    /// <summary>Whether a process is stopped by a signal; false where the system does not say so.</summary>
    public static bool IsFrozen(int processId)
    {
        try
        {
            // The state follows the name, which stands in parentheses.
            return OperatingSystem.IsLinux() && File.ReadAllText($"/proc/{processId}/stat").Split(") ")[^1].StartsWith('T');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The process has ended.
            return false;
        }
    }

    /// <summary>Ends a process at once. Does nothing if it has ended already.</summary>
    public static void Kill(Process process)
    {
        try
        {
            process.Kill();
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception)
        {
            // It has ended, or is about to.
        }
    }

    /// <summary>Waits for a process to end, and kills it if that takes too long.</summary>
    public static async Task WaitOrKillAsync(Process process, TimeSpan limit)
    {
        using var timeout = new CancellationTokenSource(limit);
        try
        {
            await process.WaitForExitAsync(timeout.Token);
        }
        catch (OperationCanceledException)
        {
            // The time is up.
            Kill(process);
            await process.WaitForExitAsync(CancellationToken.None);
        }
    }
}
