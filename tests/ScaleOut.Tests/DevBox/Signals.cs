using System.Runtime.InteropServices;

namespace ScaleOut.Tests.DevBox;

internal static class Signals
{
    public const int HangUp = 1;
    public const int Interrupt = 2;
    public const int Kill = 9;
    public const int Terminate = 15;

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
}
