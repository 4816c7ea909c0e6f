using System.Globalization;
using System.Runtime.InteropServices;

namespace ScaleOut.DevBox.Machine;

/// <summary>
/// How many files and sockets a process may have open (<c>ulimit -n</c>). The runtime raises the soft limit to the hard one when it
/// starts, so that what is read here is
/// the most that there can be; child processes have the same.
/// </summary>
internal static partial class OpenFileLimit
{
    /// <summary>
    /// What every command needs: the runtime keeps each assembly of the program open. Those that run something need more (<see
    /// cref="OpenFileNeed"/>).
    /// </summary>
    public const int Least = 128;

    /// <summary>
    /// Whether the program cannot run at all; then it has said so. This comes first of all, and with nothing but the core library: there
    /// may be no file left for the
    /// assembly of the console.
    /// </summary>
    public static bool RejectsStart()
    {
        if (Read() is not { } limit || limit >= Least)
            return false;
        LastResort.WriteLine($"error: {Describe("this program", Least, limit)}.");
        return true;
    }

    /// <summary>The limit; null where there is none, or where it cannot be read.</summary>
    public static long? Read()
    {
        if (OperatingSystem.IsWindows() || ReadLimit(OperatingSystem.IsMacOS() ? 8 : 7, out var limit) != 0)
            return null;
        return limit.Current is > 0 and <= long.MaxValue ? (long)limit.Current : null;
    }

    /// <summary>What is wrong and how to mend it, in ASCII.</summary>
    /// <param name="what">What needs files.</param>
    /// <param name="needed">How many.</param>
    /// <param name="limit">How many there are.</param>
    public static string Describe(string what, long needed, long limit) => string.Create(
        CultureInfo.InvariantCulture,
        $"{what} needs about {needed} open files and sockets in one process, and the limit here is {limit}; "
        + $"raise it with 'ulimit -n {Suggested(needed)}' (or in /etc/security/limits.conf, or --ulimit nofile of a container)");

    private static long Suggested(long needed)
    {
        var suggested = 1_024L;
        while (suggested < needed)
            suggested *= 2;
        return suggested;
    }

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int ReadLimit(int resource, out Limit limit);

    private struct Limit
    {
        public ulong Current;
        public ulong Most;
    }
}
