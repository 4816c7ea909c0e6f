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
