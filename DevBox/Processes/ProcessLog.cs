namespace ScaleOut.DevBox.Processes;

/// <summary>What a process writes to its standard error, kept in a file.</summary>
internal static class ProcessLog
{
    /// <summary>Appends all lines until the process ends. The file is made at the first line.</summary>
    public static async Task CopyAsync(StreamReader errors, string file)
    {
        while (await errors.ReadLineAsync() is { } line)
            await TryAppendAsync(file, line);
    }

    /// <summary>Appends one line with the time. A log that cannot be written disturbs no run.</summary>
    public static async Task TryAppendAsync(string file, string line)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            await File.AppendAllTextAsync(file, $"{DateTimeOffset.UtcNow:O} {line}\n", ProcessLines.Encoding);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
        }
    }
}
