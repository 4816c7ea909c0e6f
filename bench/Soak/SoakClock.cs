namespace ScaleOut.Bench.Soak;

/// <summary>Sets the clock of programs that the soak starts, if libfaketime is installed.</summary>
internal static class SoakClock
{
    private const string Folders = "/usr/lib";
    private const string Library = "libfaketimeMT.so.1";

    /// <summary>It is at most two folders below, and links among the folders may lead in circles.</summary>
    private static readonly EnumerationOptions Below = new()
    {
        RecurseSubdirectories = true, MaxRecursionDepth = 2, IgnoreInaccessible = true,
    };

    private static readonly string? File = Directory.Exists(Folders)
        ? Directory.EnumerateFiles(Folders, Library, Below).FirstOrDefault()
        : null;

    public static bool CanBeSet => File is not null;

    /// <summary>Environment variables for a program whose clock is off by this time. They do not change its monotonic clock.</summary>
    public static Dictionary<string, string> Set(TimeSpan off) => new()
    {
        ["LD_PRELOAD"] = File!,
        ["FAKETIME"] = off.TotalSeconds.ToString("+0;-0", CultureInfo.InvariantCulture),
        ["FAKETIME_DONT_FAKE_MONOTONIC"] = "1",
        ["FAKETIME_DONT_RESET"] = "1",
    };
}
