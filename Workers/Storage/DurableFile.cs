using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// Writes files of a run's folder. When a call returns, the file is on disk, whole and under its name, and survives a loss of power; when
/// it fails or its process is killed, what had the name before has it still. A failed call leaves nothing behind; a killed one may leave a
/// temporary file, which nobody reads.
/// </summary>
/// <remarks>
/// The content goes to a temporary file in the same folder and to disk, then the file gets its name, then the folder goes to disk. On
/// Windows the folder does not: NTFS keeps names in a journal of its own.
/// </remarks>
public static partial class DurableFile
{
    /// <summary>Of files that hold a secret: only their owner may read and write them.</summary>
    public const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private const string TemporaryMark = ".tmp-";
    private const int AlreadyExists = 17;

    // O_RDONLY is 0 everywhere; a process that is started meanwhile must not inherit the folder (O_CLOEXEC).
    private static readonly int ReadFolder = OperatingSystem.IsMacOS() ? 0x1000000 : 0x80000;

    /// <summary>Writes a file over whatever is there, and makes its folder where there is none.</summary>
    /// <param name="cancellationToken">Gives up before the first byte.</param>
    /// <param name="mode">Who may do what with it, from its first byte on; null for what the system's settings say. Without effect on
    /// Windows.</param>
    /// <exception cref="IOException">It could not be written, such as on a full disk.</exception>
    /// <exception cref="UnauthorizedAccessException">This process has no right to.</exception>
    public static Task WriteAsync(
        string path, ReadOnlyMemory<byte> content, CancellationToken cancellationToken, UnixFileMode? mode = null) => Task.Run(
        () => Write(path, content, mode, temporary =>
        {
            File.Move(temporary, path, overwrite: true);
            return true;
        }),
        cancellationToken);

    /// <summary>
    /// Writes a file unless there is one of that name, and makes its folder where there is none. Of several callers, in whichever
    /// processes, exactly one gets true.
    /// </summary>
    /// <param name="cancellationToken">Gives up before the first byte.</param>
    /// <exception cref="IOException">It could not be written, such as on a full disk.</exception>
    /// <exception cref="UnauthorizedAccessException">This process has no right to.</exception>
    public static Task<bool> TryCreateAsync(string path, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) => Task.Run(
        () => !File.Exists(path) && Write(path, content, mode: null, temporary =>
        {
            var created = TryPublish(temporary, path);
            File.Delete(temporary);
            return created;
        }),
        cancellationToken);

    /// <summary>Makes a folder and those above it that are missing, and brings their names to disk.</summary>
    public static void CreateFolder(string folder)
    {
        if (Directory.Exists(folder))
            return;
        var parent = Path.GetDirectoryName(Path.GetFullPath(folder));
        if (parent is not null)
            CreateFolder(parent);
        Directory.CreateDirectory(folder);
        if (parent is not null)
            FlushFolder(parent);
    }

    /// <summary>Brings to disk which files a folder has: those that were deleted stay so after a loss of power.</summary>
    public static void FlushFolder(string folder)
    {
        if (OperatingSystem.IsWindows())
            return;
        var descriptor = Open(folder, ReadFolder);
        if (descriptor < 0)
            throw new IOException($"The folder '{folder}' cannot be brought to disk: {Marshal.GetLastPInvokeErrorMessage()}.");
        using var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        RandomAccess.FlushToDisk(handle);
    }

    /// <summary>Whether a name is that of a temporary file.</summary>
    public static bool IsTemporary(string name)
    {
        return name.Contains(TemporaryMark, StringComparison.Ordinal);
    }

    /// <summary>
    /// Deletes what killed processes have left in a folder and in those below it. To be called when no other process writes there.
    /// </summary>
    public static void DeleteTemporaryFiles(string folder)
    {
        foreach (var file in Directory.EnumerateFiles(folder, $"*{TemporaryMark}*", SearchOption.AllDirectories))
            File.Delete(file);
    }

    private static bool Write(string path, ReadOnlyMemory<byte> content, UnixFileMode? mode, Func<string, bool> publish)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        CreateFolder(folder);
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
            DeleteIfThere(temporary);
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
            // So says .NET of a file that becomes larger than the file system, or a limit of this process, lets it.
            throw new IOException($"The file '{temporary}' cannot have {content.Length} bytes: {e.Message}", e);
        }
    }

    /// <summary>Gives a finished file its name, if no other has it. The temporary name is then superfluous.</summary>
    private static bool TryPublish(string temporary, string path)
    {
        // On Unix File.Move looks whether there is a file and then renames over whatever came in between. A link is made or rejected in one
        // step.
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
            return false;
        }
    }

    /// <summary>The error that led here is the one to report.</summary>
    private static void DeleteIfThere(string file)
    {
        try
        {
            File.Delete(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
        }
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string existing, string created);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);
}

/// <summary>Looks at files before they are opened: reading a pipe or a device may never end.</summary>
public static class RegularFile
{
    /// <summary>Why a file is not read; null if it may be. Devices and pipes have no length, so they count as empty.</summary>
    /// <param name="path">Of the file, or of a link to it.</param>
    /// <param name="maxBytes">Largest length; a whole number of MiB or GiB.</param>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    /// <exception cref="IOException">A link leads nowhere.</exception>
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
