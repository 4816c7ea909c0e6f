namespace ScaleOut.Simulator.Persistence;

/// <summary>Writes files that only the user of this process can read.</summary>
internal static class SecretFile
{
    private const string NewMark = ".new";

    /// <summary>Writes a file atomically, and replaces an existing one.</summary>
    /// <exception cref="IOException">It could not be written.</exception>
    /// <exception cref="UnauthorizedAccessException">It could not be written.</exception>
    public static void Write(string path, ReadOnlySpan<byte> content)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        // An existing file would keep its mode.
        File.Delete(path + NewMark);
        using (var file = new FileStream(path + NewMark, options))
            file.Write(content);
        File.Move(path + NewMark, path, overwrite: true);
    }
}
