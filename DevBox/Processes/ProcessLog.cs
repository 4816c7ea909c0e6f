namespace ScaleOut.DevBox.Processes;

/// <summary>Keeps what processes write to their standard error, and what this program logs of its runs, in files.</summary>
internal static class ProcessLog
{
    /// <summary>Lines of a file stay in the order in which they are appended.</summary>
    private static readonly Lock Order = new();

    /// <summary>Appends all lines until the process ends, and returns the last. The file is made at the first line.</summary>
    public static async Task<string?> CopyAsync(StreamReader errors, string file)
    {
        string? last = null;
        while (await errors.ReadLineAsync() is { } line)
        {
            Append(file, line);
            last = line;
        }

        return last;
    }

    /// <summary>Appends one line with the time. Errors are ignored, because a log must not disturb a run.</summary>
    public static void Append(string file, string line)
    {
        try
        {
            var folder = Path.GetDirectoryName(Path.GetFullPath(file))!;
            lock (Order)
            {
                DurableFile.CreateFolder(folder, within: Path.GetDirectoryName(folder));
                File.AppendAllText(file, $"{TimeProvider.System.GetUtcNow():O} {line}\n", ProcessLines.Encoding);
            }
        }
        catch (Exception)
        {
            // The run's folder may be gone. Write errors include an ArgumentOutOfRangeException for a file that is too large.
        }
    }
}
