namespace ScaleOut.DevBox.Commands;

/// <summary>How a command shows its result: on the console, as JSON, and in a file.</summary>
internal sealed class PageOutput
{
    private readonly Option<bool> _json;

    private readonly Option<string?> _file = new("--report")
    {
        Description = "Writes it to this file too: .html, .md or .json.",
        HelpName = "file",
    };

    /// <param name="what">The result, such as <c>comparison</c>.</param>
    public PageOutput(string what) => _json = new("--json") { Description = $"Writes the {what} as JSON." };

    public void AddTo(Command command)
    {
        command.Options.Add(_file);
        command.Options.Add(_json);
    }

    /// <exception cref="InputException">The file's name does not say its form, or it is in no folder.</exception>
    public void Check(CommandInput input)
    {
        if (input.Value(_file) is not { } file)
            return;
        if (Path.GetExtension(file) is not (".html" or ".md" or ".json"))
            throw new InputException($"{_file.Name}: '{file}' does not end with .html, .md or .json.");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new InputException($"{_file.Name}: there is no folder '{folder}'.");
    }

    /// <exception cref="InputException">The file cannot be written.</exception>
    public async Task WriteAsync<T>(CommandInput input, T result, Func<T, ReportPage> pageOf)
    {
        var (page, json) = (pageOf(result), JsonSerializer.Serialize(result, ScaleOutJson.Indented));
        if (input.Value(_json))
            Console.WriteLine(json);
        else
            await ConsolePage.WriteAsync(ConsolePage.Output, page, []);
        if (input.Value(_file) is not { } file)
            return;
        try
        {
            await File.WriteAllTextAsync(
                file, Path.GetExtension(file) switch { ".html" => page.ToHtml(), ".md" => page.ToMarkdown(), _ => json });
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"{_file.Name}: '{file}' cannot be written: {OneLine.From(e.Message)}");
        }
    }
}
