namespace ScaleOut.DevBox.Runs;

/// <summary>
/// Keeps a second process from running the same run, or serving the same folder. It ends with its process, however that ends.
/// </summary>
internal sealed class RunLock : IDisposable
{
    private readonly FileStream _file;

    private RunLock(FileStream file) => _file = file;

    /// <summary>Takes the lock, and creates the run's folder if necessary. Null when another process has the lock.</summary>
    public static RunLock? TryTake(RunFolder folder)
    {
        DurableFile.CreateFolder(folder.FullPath);
        return TryOpen(folder.LockFile, FileMode.OpenOrCreate) is { } file ? new RunLock(file) : null;
    }

    /// <summary>
    /// Takes a server's lock on a folder of runs, and creates that folder if necessary. Null when another process has the lock.
    /// </summary>
    public static RunLock? TryTakeFolder(string runsFolder)
    {
        DurableFile.CreateFolder(runsFolder);
        return TryOpen(Path.Combine(runsFolder, "serve.lock"), FileMode.OpenOrCreate) is { } file ? new RunLock(file) : null;
    }

    /// <summary>Whether a process holds the lock; false also when the run's folder is gone.</summary>
    public static bool IsTaken(string lockFile)
    {
        try
        {
            using var file = TryOpen(lockFile, FileMode.Open);
            return file is null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    public void Dispose() => _file.Dispose();

    private static FileStream? TryOpen(string path, FileMode mode)
    {
        try
        {
            return new FileStream(path, mode, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException) when (File.Exists(path))
        {
            return null;
        }
    }
}
