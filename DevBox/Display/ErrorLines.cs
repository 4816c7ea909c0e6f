namespace ScaleOut.DevBox.Display;

/// <summary>Errors for people: one line each, on standard error. Writing them never throws.</summary>
internal static class ErrorLines
{
    public static void Write(IEnumerable<string> errors)
    {
        foreach (var error in errors)
            WriteLine($"error: {error}");
    }

    /// <summary>
    /// Reports an error that no handler expects, and where its details are. They are in the given file. If there is none or it cannot be
    /// written, they are in a file in the user's own folder.
    /// </summary>
    public static void WriteUnexpected(Exception exception, string? logFile)
    {
        var file = CrashDetails.TryKeep(exception, logFile);
        Write([$"{OneLine.From(Innermost(exception).Message)}{(file is null ? "" : $" (details in {file})")}"]);
    }

    private static Exception Innermost(Exception exception) =>
        exception is AggregateException { InnerException: { } inner } ? Innermost(inner) : exception;

    private static void WriteLine(string line)
    {
        try
        {
            WrappingWriter.For(Console.Error, Console.IsErrorRedirected).WriteLine(line);
        }
        catch (Exception)
        {
            // The console needs a free file descriptor, too.
            RawStandardError.WriteLine(line);
        }
    }
}
