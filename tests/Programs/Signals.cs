using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ScaleOut.Tests.Programs;

internal static class Signals
{
    public const int HangUp = 1;
    public const int Interrupt = 2;
    public const int Kill = 9;
    public const int Terminate = 15;
    public const int Freeze = 19;

    private const nint DefaultHandler = 0;

    /// <summary>
    /// Lets interrupts and hang-ups end this process and the programs that it starts. A shell that starts the tests in the background has
    /// them ignore the first, <c>nohup</c> the second, and programs inherit that.
    /// </summary>
    [ModuleInitializer]
    internal static void StopIgnoringSignals()
    {
        if (!OperatingSystem.IsLinux())
            return;
        foreach (var signal in (int[])[Interrupt, HangUp])
        {
            if (IsIgnored(Environment.ProcessId, signal))
                _ = NativeSignal(signal, DefaultHandler);
        }
    }

    /// <summary>Whether a process ignores a signal, as the system says.</summary>
    public static bool IsIgnored(int processId, int signal)
    {
        const string Name = "SigIgn:";
        var ignored = File.ReadLines($"/proc/{processId}/status").First(line => line.StartsWith(Name, StringComparison.Ordinal));
        return (ulong.Parse(ignored[Name.Length..].Trim(), NumberStyles.HexNumber, CultureInfo.InvariantCulture) >> (signal - 1) & 1) != 0;
    }

    /// <summary>Sends a signal; false when there is no such process.</summary>
    public static bool Send(int processId, int signal) => NativeKill(processId, signal) == 0;

    /// <summary>Whether a process lives. A process that has ended and whose parent has not noticed it does not live.</summary>
    public static bool Lives(int processId)
    {
        try
        {
            var stat = File.ReadAllText($"/proc/{processId}/stat");
            return stat[stat.LastIndexOf(')') + 2] is not ('Z' or 'X');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    [DllImport("libc", EntryPoint = "kill")]
    private static extern int NativeKill(int processId, int signal);

    [DllImport("libc", EntryPoint = "signal")]
    private static extern nint NativeSignal(int signal, nint handler);
}
