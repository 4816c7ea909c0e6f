using System.ComponentModel;
using System.Diagnostics;

namespace ScaleOut.DevBox.Processes;

/// <summary>Ending processes, and saying how they ended.</summary>
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
    public static string Describe(Process process) =>
        !process.HasExited ? "still running"
        : Signals.TryGetValue(process.ExitCode - SignalBase, out var signal) ? $"exit code {process.ExitCode}, {signal}"
        : $"exit code {process.ExitCode}";

    /// <summary>Ends a process at once; none that has ended already.</summary>
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

    /// <summary>Waits for a process's end, and forces it when it takes too long.</summary>
    public static async Task WaitOrKillAsync(Process process, TimeSpan patience)
    {
        using var timeout = new CancellationTokenSource(patience);
        try
        {
            await process.WaitForExitAsync(timeout.Token);
        }
        catch (OperationCanceledException)
        {
            Kill(process);
            await process.WaitForExitAsync(CancellationToken.None);
        }
    }
}
