namespace ScaleOut.Bench.Soak;

/// <summary>A small file system in memory, mounted at a folder, that can be full for a time. Only for root on Linux.</summary>
internal sealed class SoakDisk : IDisposable
{
    private const string FillerName = "filler";

    private readonly string _folder;

    private SoakDisk(string folder) => _folder = folder;

    /// <summary>Whether this user may mount a file system.</summary>
    public static bool CanBeMounted { get; } = OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess && CanMount();

    /// <summary>Mounts one at a new folder. Null where that cannot be done.</summary>
    public static SoakDisk? Mount(string folder)
    {
        Directory.CreateDirectory(folder);
        return CanBeMounted && SoakProgram.Succeeds("mount", "-t", "tmpfs", "-o", "size=64m,mode=777", "soak", folder)
            ? new SoakDisk(folder)
            : null;
    }

    /// <summary>Fills it to the last byte for a time.</summary>
    public async Task FillAsync(TimeSpan time)
    {
        var path = Path.Combine(_folder, FillerName);
        var block = new byte[4_096];
        try
        {
            await using var filler = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
            while (true)
                filler.Write(block);
        }
        catch (IOException)
        {
            // It is full.
        }

        await Task.Delay(time);
        File.Delete(path);
    }

    public void Dispose() => SoakProgram.Succeeds("umount", "--lazy", _folder);

    private static bool CanMount()
    {
        var folder = Directory.CreateTempSubdirectory("scaleout-soak-disk-").FullName;
        try
        {
            return SoakProgram.Succeeds("mount", "-t", "tmpfs", "soak", folder) && SoakProgram.Succeeds("umount", folder);
        }
        finally
        {
            Directory.Delete(folder);
        }
    }
}
