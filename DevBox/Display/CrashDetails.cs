namespace ScaleOut.DevBox.Display;

/// <summary>
/// Keeps the details of an error that no handler expects: in the log of the run that the error ended, or in a file in the user's own
/// folder.
/// </summary>
internal static class CrashDetails
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Keeps an exception with its stack trace. Never throws.</summary>
    /// <param name="logFile">Appends to this file, if it can be written; null for a file in the user's own folder.</param>
    /// <returns>The file; null when the details could not be kept.</returns>
    public static string? TryKeep(Exception exception, string? logFile) => TryKeep(exception, logFile, [OwnFolder, Path.GetTempPath]);

    internal static string? TryKeep(Exception exception, string? logFile, IReadOnlyList<Func<string>> folders)
    {
        var now = TimeProvider.System.GetUtcNow();
        var text = $"{now:O} {exception}\n";
        if (logFile is not null && Try(() => Append(logFile, text)))
            return logFile;
        var name = $"devbox-{now:yyyyMMdd-HHmmss}-{Guid.NewGuid():N}.log";
        foreach (var folder in folders)
        {
            string? file = null;
            if (Try(() => CreateNew(file = Path.Combine(folder(), name), text)))
                return file;
        }

        return null;
    }

    private static void Append(string file, string text)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(file))!;
        DurableFile.CreateFolder(folder, within: Path.GetDirectoryName(folder));
        File.AppendAllText(file, text);
    }

    /// <summary>
    /// Writes a file that only its owner can read. The file must not exist, so that no file or link of another user is written to.
    /// </summary>
    private static void CreateNew(string file, string text)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = Owner;
        using var stream = new FileStream(file, options);
        stream.Write(Encoding.UTF8.GetBytes(text));
    }

    /// <summary>The user's folder for the data of programs, such as <c>~/.local/share/scaleout</c>.</summary>
    private static string OwnFolder()
    {
        var data = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.DoNotVerify);
        if (data.Length == 0)
            throw new DirectoryNotFoundException("The user has no folder for application data.");
        var folder = Path.Combine(data, "scaleout");
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(folder);
        else
            Directory.CreateDirectory(folder, Owner | UnixFileMode.UserExecute);
        return folder;
    }

    /// <summary>Whether a write succeeds. It may throw any kind of exception if there are no more files or the disk is full.</summary>
    private static bool Try(Action write)
    {
        try
        {
            write();
            return true;
        }
        catch (Exception)
        {
            // The original error is reported, not the error of writing its details.
            return false;
        }
    }
}
