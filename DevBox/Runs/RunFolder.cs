namespace ScaleOut.DevBox.Runs;

/// <summary>Paths in the folder of one run, beside the items of its run store.</summary>
internal sealed class RunFolder(string runsFolder, string runId)
{
    /// <summary>The folder of runs if the command line names none.</summary>
    public const string DefaultRunsFolder = "runs";

    public string RunId => runId;

    public string RunsFolder => runsFolder;

    public string FullPath => Path.Combine(runsFolder, runId);

    public string LogFolder => Path.Combine(FullPath, "logs");

    /// <summary>Log of this program's own errors.</summary>
    public string OwnLog => Path.Combine(LogFolder, "devbox.log");

    public string AccountLog => Path.Combine(LogFolder, "account.log");

    public string LockFile => Path.Combine(FullPath, "lock");

    public string SpecFile => Path.Combine(FullPath, RunFiles.SpecName);

    public string LedgerFile => Path.Combine(FullPath, "ledger.json");

    public string ReportPage => Path.Combine(FullPath, "report.html");

    /// <summary>The command that goes on with the run or experiment, as it can be pasted into a shell.</summary>
    public string ResumeCommand =>
        $"devbox resume {runId}{(runsFolder == DefaultRunsFolder ? "" : $" --out {ShellWord.Quoted(runsFolder)}")}";
}

/// <summary>
/// Keeps a second process from running the same run, or serving the same folder. The lock ends with its process, even if that is killed.
/// </summary>
internal sealed class RunLock : IDisposable
{
    private readonly FileStream _file;

    private RunLock(FileStream file) => _file = file;

    private string Folder => Path.GetDirectoryName(_file.Name)!;

    /// <summary>Takes the lock of a run that may be new, and creates its folder. Null when another process has the lock.</summary>
    public static RunLock? TryCreate(RunFolder folder)
    {
        DurableFile.CreateFolder(folder.FullPath);
        return TryTake(folder);
    }

    /// <summary>Takes the lock. Null when another process has it.</summary>
    /// <exception cref="DirectoryNotFoundException">The run's folder was deleted or moved.</exception>
    public static RunLock? TryTake(RunFolder folder)
    {
        DurableFile.EnsureFolder(folder.FullPath);
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
            // A folder that cannot be read has no run under way.
            return false;
        }
    }

    /// <summary>Deletes the run's folder with everything in it, and releases the lock.</summary>
    /// <exception cref="IOException">Something cannot be deleted.</exception>
    public void DeleteFolder()
    {
        foreach (var inner in Directory.GetDirectories(Folder))
            Directory.Delete(inner, recursive: true);
        foreach (var file in Directory.GetFiles(Folder).Where(file => file != _file.Name))
            File.Delete(file);
        // A file that is open cannot be deleted everywhere.
        Dispose();
        File.Delete(_file.Name);
        Directory.Delete(Folder);
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
            // Another process has it open.
            return null;
        }
    }
}
