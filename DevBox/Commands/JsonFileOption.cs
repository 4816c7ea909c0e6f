namespace ScaleOut.DevBox.Commands;

/// <summary>The option that names a file for a command's result as JSON.</summary>
/// <param name="what">The result, such as <c>the report</c>.</param>
/// <param name="defaultFile">The file if the command line names none; null to write none.</param>
internal sealed class JsonFileOption(string what, string? defaultFile = null) : TextOption(
    "--json", "file",
    $"Writes {what} as JSON to this file{(defaultFile is null ? "" : $" (default {defaultFile})")}; "
    + $"'{StandardOutput}' is the standard output.")
{
    /// <summary>Stands for the standard output.</summary>
    public const string StandardOutput = "-";

    /// <summary>The file; null when none is written.</summary>
    public string? File(CommandInput input) => input.Value(this) ?? defaultFile;

    public bool IsStandardOutput(CommandInput input) => File(input) == StandardOutput;

    /// <summary>Checks before a long command that the file can be written afterwards.</summary>
    /// <exception cref="InputException">It is a folder, or its folder does not exist.</exception>
    public void Check(CommandInput input)
    {
        if (!IsStandardOutput(input))
            OutputFile.Check(Name, File(input));
    }

    /// <param name="kept">
    /// Another place of the same JSON, as the end of an error message, such as <c> The report is runs/a/report.json.</c>
    /// </param>
    /// <exception cref="InputException">The file cannot be written.</exception>
    public async Task WriteAsync(CommandInput input, ReadOnlyMemory<byte> json, string kept = "")
    {
        if (File(input) is not { } file)
            return;
        try
        {
            if (IsStandardOutput(input))
            {
                await using var output = RawStandardError.IsOutputClosed ? Stream.Null : Console.OpenStandardOutput();
                await output.WriteAsync(json);
            }
            else
            {
                await System.IO.File.WriteAllBytesAsync(file, json);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            var target = IsStandardOutput(input) ? "the standard output" : $"'{file}'";
            throw new InputException($"{Name}: {target} cannot be written: {OneLine.From(e.Message)}{kept}");
        }
    }
}

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
