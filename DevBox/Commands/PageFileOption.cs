namespace ScaleOut.DevBox.Commands;

/// <summary>The option that names a file for a command's result as a page.</summary>
internal sealed class PageFileOption() : TextOption(
    "--report", "file", "Writes the page of the result to this file: .html or .md.")
{
    /// <exception cref="InputException">The file's name has no known extension, or its folder does not exist.</exception>
    public void Check(CommandInput input)
    {
        if (input.Value(this) is not { } file)
            return;
        if (Path.GetExtension(file).ToUpperInvariant() is not (".HTML" or ".MD"))
            throw new InputException($"{Name}: '{file}' does not end with .html or .md.");
        OutputFile.Check(Name, file);
    }

    /// <exception cref="InputException">The file cannot be written.</exception>
    public async Task WriteAsync(CommandInput input, ReportPage page)
    {
        if (input.Value(this) is { } file)
            await OutputFile.WriteAsync(Name, file, ConsolePage.FileText(page, file), CancellationToken.None);
    }
}
