using Microsoft.Win32.SafeHandles;

namespace ScaleOut.Storage;

/// <summary>
/// Writes files of runs and of the simulated account. When a call returns, the whole file is on disk under its name and survives a loss of
/// power. If the call fails or its process is killed, the former file stays. A killed process may leave a temporary file, which nobody
/// reads.
/// </summary>
/// <remarks>
/// Flushes the content to a temporary file in the same folder, renames it, and flushes the folder. Windows does not need the last step,
/// because NTFS keeps names in a journal.
/// </remarks>
public static partial class DurableFile
{
    /// <summary>For files that hold a secret.</summary>
    public const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private const string TemporaryMark = ".tmp-";
    private const int AlreadyExists = 17;

    // O_RDONLY is 0 everywhere; a process that is started meanwhile must not inherit the folder (O_CLOEXEC).
    private static readonly int ReadFolder = OperatingSystem.IsMacOS() ? 0x1000000 : 0x80000;

    /// <summary>Writes a file over whatever is there. Creates its folder if it is missing.</summary>
    /// <param name="cancellationToken">Gives up before the first byte.</param>
    /// <param name="mode">Permissions from its first byte on; null for the system's default. Without effect on Windows.</param>
    /// <param name="within">A folder above the file that must exist, because somebody may move or delete it; null for none.</param>
    /// <exception cref="IOException">It could not be written, such as on a full disk.</exception>
    public static Task WriteAsync(
        string path,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken,
        UnixFileMode? mode = null,
        string? within = null) => Task.Run(() => Write(path, content, mode, within), cancellationToken);

    /// <inheritdoc cref="WriteAsync"/>
    public static void Write(string path, ReadOnlyMemory<byte> content, UnixFileMode? mode = null, string? within = null) =>
        Write(path, content, mode, within, temporary =>
        {
            File.Move(temporary, path, overwrite: true);
            return true;
        });

    /// <summary>
    /// Writes a file unless there is one of that name. Creates its folder if it is missing. Of several callers, also in other processes,
    /// exactly one gets true.
    /// </summary>
    /// <param name="cancellationToken">Gives up before the first byte.</param>
    /// <param name="within">A folder above the file that must exist, because somebody may move or delete it; null for none.</param>
    /// <exception cref="IOException">It could not be written, such as on a full disk.</exception>
    public static Task<bool> TryCreateAsync(
        string path, ReadOnlyMemory<byte> content, CancellationToken cancellationToken, string? within = null) => Task.Run(
        () => !File.Exists(path) && Write(path, content, mode: null, within, temporary =>
        {
            var created = TryPublish(temporary, path);
            File.Delete(temporary);
            return created;
        }),
        cancellationToken);

    /// <summary>Creates a folder and those above it, and flushes their names to disk.</summary>
    /// <param name="within">A folder above it that must exist; null for none.</param>
    /// <exception cref="DirectoryNotFoundException"><paramref name="within"/> was deleted or moved.</exception>
    public static void CreateFolder(string folder, string? within = null)
    {
        if (Directory.Exists(folder))
            return;
        if (within is not null && Path.GetFullPath(folder) == Path.GetFullPath(within))
            EnsureFolder(within);
        var parent = Path.GetDirectoryName(Path.GetFullPath(folder));
        if (parent is not null)
            CreateFolder(parent, within);
        Directory.CreateDirectory(folder);
        if (parent is not null)
            FlushFolder(parent);
    }

    /// <exception cref="DirectoryNotFoundException">Somebody deleted or moved the folder.</exception>
    public static void EnsureFolder(string folder)
    {
        if (!Directory.Exists(folder))
            throw new DirectoryNotFoundException($"The folder '{folder}' was deleted or moved.");
    }

    /// <summary>Flushes the names in a folder to disk, so that deleted files stay deleted after a loss of power.</summary>
    public static void FlushFolder(string folder)
    {
        if (OperatingSystem.IsWindows())
            return;
        var descriptor = Open(folder, ReadFolder);
        if (descriptor < 0)
            throw new IOException($"The folder '{folder}' cannot be flushed to disk: {Marshal.GetLastPInvokeErrorMessage()}.");
        using var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        RandomAccess.FlushToDisk(handle);
    }

    public static bool IsTemporary(string name) => name.Contains(TemporaryMark, StringComparison.Ordinal);

    /// <summary>Deletes temporary files of killed processes in a folder and below it. No other process may write there.</summary>
    public static void DeleteTemporaryFiles(string folder)
    {
        foreach (var file in Directory.EnumerateFiles(folder, $"*{TemporaryMark}*", SearchOption.AllDirectories))
            File.Delete(file);
    }

    private static bool Write(
        string path, ReadOnlyMemory<byte> content, UnixFileMode? mode, string? within, Func<string, bool> publish)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        CreateFolder(folder, within);
        var temporary = $"{path}{TemporaryMark}{Guid.NewGuid():N}";
        try
        {
            WriteTemporary(temporary, content.Span, mode);
            var published = publish(temporary);
            FlushFolder(folder);
            return published;
        }
        catch
        {
            TryDelete(temporary);
            throw;
        }
    }

    private static void WriteTemporary(string temporary, ReadOnlySpan<byte> content, UnixFileMode? mode)
    {
        var options =
            new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None, BufferSize = 0 };
        if (mode is not null && !OperatingSystem.IsWindows())
            options.UnixCreateMode = mode;
        try
        {
            using var stream = new FileStream(temporary, options);
            stream.Write(content);
            stream.Flush(flushToDisk: true);
        }
        catch (ArgumentOutOfRangeException e)
        {
            // .NET throws this for a file that exceeds a limit of the file system or of this process.
            throw new IOException($"The file '{temporary}' cannot have {content.Length} bytes: {e.Message}", e);
        }
    }

    /// <summary>Gives a finished file its name, if no other file has it.</summary>
    private static bool TryPublish(string temporary, string path)
    {
        // On Unix File.Move is not atomic: it looks for a file and then renames over whatever came in between. A hard link is atomic.
        if (!OperatingSystem.IsWindows())
        {
            if (Link(temporary, path) == 0)
                return true;
            if (Marshal.GetLastPInvokeError() == AlreadyExists)
                return false;
            // The file system has no hard links.
        }

        try
        {
            File.Move(temporary, path, overwrite: false);
            return true;
        }
        catch (IOException) when (File.Exists(path))
        {
            // Another writer was first.
            return false;
        }
    }

    private static void TryDelete(string file)
    {
        try
        {
            File.Delete(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The error that led here is the one to report.
        }
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string existing, string created);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);
}

/// <summary>Checks files before they are opened, because reading a pipe or a device may never end.</summary>
public static class RegularFile
{
    /// <summary>Why a file, or the target of a link, cannot be read; null if it can. Devices and pipes count as empty.</summary>
    /// <param name="maxBytes">A whole number of MiB or GiB.</param>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    /// <exception cref="IOException">A symbolic link is broken.</exception>
    public static string? WhyUnreadable(string path, long maxBytes) =>
        LengthOf(path) == 0 ? "is empty, or it is no regular file" : WhyTooLarge(path, maxBytes);

    /// <summary>Why a file is too large; null if it is not.</summary>
    /// <inheritdoc cref="WhyUnreadable"/>
    public static string? WhyTooLarge(string path, long maxBytes) => LengthOf(path) <= maxBytes
        ? null
        : $"is larger than {(maxBytes >= 1L << 30 ? $"{maxBytes >> 30} GiB" : $"{maxBytes >> 20} MiB")}";

    private static long LengthOf(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null)
            file = new FileInfo(file.ResolveLinkTarget(returnFinalTarget: true)!.FullName);
        return file.Exists ? file.Length : throw new FileNotFoundException(message: null, path);
    }
}
