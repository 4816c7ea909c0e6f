namespace ScaleOut.DevBox;

/// <summary>
/// Writes to the standard error with nothing but the core library. It is for a process that cannot open any more files, not even the
/// assembly of the console. It never throws.
/// </summary>
internal static partial class RawStandardError
{
    private const int StandardOutput = 1;
    private const int StandardError = 2;

    /// <summary>Whether this program was started with a closed standard output, so that nothing can be written to it.</summary>
    public static bool IsOutputClosed { get; private set; }

    /// <summary>
    /// Drops what is written to a standard output or error that is closed, as to a closed pipe. The first file that the runtime opens has
    /// its number, so that it is not even written to.
    /// </summary>
    public static unsafe void IgnoreClosed()
    {
        if (OperatingSystem.IsWindows())
            return;
        var nothing = default(byte);
        IsOutputClosed = Write(StandardOutput, &nothing, 0) < 0;
        if (IsOutputClosed)
            Console.SetOut(TextWriter.Null);
        if (Write(StandardError, &nothing, 0) < 0)
            Console.SetError(TextWriter.Null);
    }

    /// <summary>
    /// Whether the standard output is a pipe or a socket that nobody reads any more. A file or a terminal never is; nor is anything on
    /// Windows, which has no such call.
    /// </summary>
    public static unsafe bool IsOutputUnread()
    {
        // POLLERR on Linux, POLLHUP on macOS.
        const short Gone = 0x8 | 0x10;
        if (OperatingSystem.IsWindows())
            return false;
        var output = new PolledFile { Number = StandardOutput, Asked = 0, Found = 0 };
        return Poll(&output, 1, 0) > 0 && (output.Found & Gone) != 0;
    }

    /// <summary>
    /// Writes a line. Characters that are not ASCII become question marks. On Windows, which has no such call, nothing is written.
    /// </summary>
    public static unsafe void WriteLine(string line)
    {
        if (OperatingSystem.IsWindows())
            return;
        var bytes = new byte[line.Length + 1];
        for (var i = 0; i < line.Length; i++)
            bytes[i] = line[i] is >= ' ' and <= '~' ? (byte)line[i] : (byte)'?';
        bytes[^1] = (byte)'\n';
        // If the message cannot be written, only the exit code reports the error.
        fixed (byte* first = bytes)
            _ = Write(StandardError, first, bytes.Length);
    }

    [LibraryImport("libc", EntryPoint = "write")]
    private static unsafe partial nint Write(int file, byte* bytes, nint count);

    [LibraryImport("libc", EntryPoint = "poll")]
    private static unsafe partial int Poll(PolledFile* files, nuint count, int milliseconds);

    /// <summary><c>struct pollfd</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct PolledFile
    {
        public int Number;
        public short Asked;
        public short Found;
    }
}
