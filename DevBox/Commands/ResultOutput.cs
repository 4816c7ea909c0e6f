namespace ScaleOut.DevBox.Commands;

/// <summary>The options with which a command shows its result: on the console, as JSON, and as a page.</summary>
/// <param name="what">The result, such as <c>the comparison</c>.</param>
/// <param name="defaultFile">The JSON file if the command line names none; null to write none.</param>
internal class ResultOutput(string what, string? defaultFile = null)
{
    private readonly QuietOption _quiet = new();

    protected JsonFileOption Json { get; } = new(what, defaultFile);

    protected PageFileOption Page { get; } = new();

    public CommandConsole Console => new(_quiet, Json);

    public virtual void AddTo(Command command)
    {
        foreach (var option in (Option[])[Json, Page, _quiet])
            command.Options.Add(option);
    }

    /// <summary>Checks before a long command that its files can be written afterwards.</summary>
    public void CheckFiles(CommandInput input, ErrorCollector errors)
    {
        errors.Try(() => Json.Check(input));
        errors.Try(() => Page.Check(input));
    }

    /// <exception cref="InputException">A file cannot be written.</exception>
    public async Task WriteAsync(CommandInput input, ReportPage page, byte[] json)
    {
        await ConsolePage.WriteAsync(Console.Text(input), page, []);
        await Json.WriteAsync(input, json);
        await Page.WriteAsync(input, page);
    }

    /// <inheritdoc cref="WriteAsync(CommandInput, ReportPage, byte[])"/>
    public Task WriteAsync<T>(CommandInput input, T result, Func<T, ReportPage> pageOf) =>
        WriteAsync(input, pageOf(result), Encoding.UTF8.GetBytes(JsonSerializer.Serialize(result, ScaleOutJson.Indented) + "\n"));
}
