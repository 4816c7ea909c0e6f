namespace ScaleOut.Bench.Soak;

/// <summary>Sets the clock of programs that are started, with libfaketime where it is installed.</summary>
internal static class SoakClock
{
    private const string Folders = "/usr/lib";
    private const string Library = "libfaketimeMT.so.1";

    private static readonly string? File = Directory.Exists(Folders)
        ? Directory.EnumerateFiles(Folders, Library, new EnumerationOptions { RecurseSubdirectories = true, IgnoreInaccessible = true })
            .FirstOrDefault()
        : null;

    public static bool CanBeSet => File is not null;

    /// <summary>Variables of a program whose clock is off by so much. Its monotonic clock is not.</summary>
    public static Dictionary<string, string> Set(TimeSpan off) => new()
    {
        ["LD_PRELOAD"] = File!,
        ["FAKETIME"] = off.TotalSeconds.ToString("+0;-0", CultureInfo.InvariantCulture),
        ["FAKETIME_DONT_FAKE_MONOTONIC"] = "1",
        ["FAKETIME_DONT_RESET"] = "1",
    };
}
