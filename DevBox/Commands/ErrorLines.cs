namespace ScaleOut.DevBox.Commands;

/// <summary>Errors for people: one line each, on standard error.</summary>
internal static class ErrorLines
{
    public static void Write(IEnumerable<string> faults)
    {
        foreach (var fault in faults)
            Console.Error.WriteLine($"error: {fault}");
    }

    /// <summary>Says that something went wrong that nobody foresaw, and keeps the details in a file.</summary>
    public static void WriteUnexpected(Exception exception, string? logFile)
    {
        var hint = TryKeep(exception, logFile ?? Path.Combine(Path.GetTempPath(), "scaleout-devbox.log"));
        Write([$"{OneLine.Of(Innermost(exception).Message)}{hint}"]);
    }

    private static Exception Innermost(Exception exception) => exception is AggregateException { InnerException: { } inner } ? Innermost(inner) : exception;

    private static string TryKeep(Exception exception, string file)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.AppendAllText(file, $"{DateTimeOffset.UtcNow:O} {exception}\n");
            return $" (details in {file})";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
