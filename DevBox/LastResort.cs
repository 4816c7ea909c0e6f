namespace ScaleOut.DevBox;

/// <summary>
/// Writes to the standard error with nothing but the core library: for a process that has no file left to open, be it for the assembly of
/// the console. It never throws.
/// </summary>
internal static partial class LastResort
{
    private const int StandardError = 2;

    /// <summary>
    /// Writes a line, of which what is not ASCII becomes a question mark. Nothing happens where the system has no such call.
    /// </summary>
    public static unsafe void WriteLine(string line)
    {
        if (OperatingSystem.IsWindows())
            return;
        var bytes = new byte[line.Length + 1];
        for (var i = 0; i < line.Length; i++)
            bytes[i] = line[i] is >= ' ' and <= '~' ? (byte)line[i] : (byte)'?';
        bytes[^1] = (byte)'\n';
        // Where no message can be written, the exit code must do.
        fixed (byte* first = bytes)
            _ = Write(StandardError, first, bytes.Length);
    }

    [LibraryImport("libc", EntryPoint = "write")]
    private static unsafe partial nint Write(int file, byte* bytes, nint count);
}
