namespace ScaleOut.DevBox.Commands;

/// <summary>Checks and writes a file that an option names.</summary>
internal static class OutputFile
{
    /// <param name="option">The option that names the file, for errors.</param>
    /// <param name="file">Null for none.</param>
    /// <exception cref="InputException">It has no name or is a folder, or its folder does not exist.</exception>
    public static void Check(string option, string? file)
    {
        if (file is null)
            return;
        if (string.IsNullOrWhiteSpace(file))
            throw new InputException($"{option}: the file has no name.");
        if (Directory.Exists(file))
            throw new InputException($"{option}: '{file}' is a folder.");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new InputException($"{option}: there is no folder '{folder}'.");
    }

    /// <param name="option">The option that names the file, for errors.</param>
    /// <exception cref="InputException">The file cannot be written.</exception>
    public static async Task WriteAsync(string option, string file, string text, CancellationToken cancellationToken)
    {
        try
        {
            await File.WriteAllTextAsync(file, text, cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"{option}: '{file}' cannot be written: {OneLine.From(e.Message)}");
        }
    }
}
