namespace ScaleOut.DevBox.Commands;

/// <summary>The options with which a command shows its result: on the console, as JSON, and as a page.</summary>
/// <param name="what">The result, such as <c>the comparison</c>.</param>
/// <param name="defaultFile">The JSON file if the command line names none; null to write none.</param>
internal class ResultOutput(string what, string? defaultFile = null)
{
    private readonly Option<bool> _quiet = new("--quiet")
    {
        Description = "Writes nothing on the console but warnings and errors; files and the exit code have the result.",
    };

    protected JsonFileOption Json { get; } = new(what, defaultFile);

    protected PageFileOption Page { get; } = new();

    public virtual IEnumerable<Option> All => [Json, Page, _quiet];

    /// <summary>The console. The standard output is left to the JSON if that goes there.</summary>
    public TextWriter Text(CommandInput input)
    {
        var (output, redirected) = Terminal(input);
        return WrappingWriter.For(output, redirected);
    }

    /// <param name="heading">One line about the run.</param>
    public IRunDisplay Display(CommandInput input, string heading)
    {
        var (output, redirected) = Terminal(input);
        return RunDisplays.For(output, redirected, heading);
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
        await ConsolePage.WriteAsync(Text(input), page, []);
        await Json.WriteAsync(input, json);
        await Page.WriteAsync(input, page);
    }

    /// <inheritdoc cref="WriteAsync(CommandInput, ReportPage, byte[])"/>
    public Task WriteAsync<T>(CommandInput input, T result, Func<T, ReportPage> pageOf) =>
        WriteAsync(input, pageOf(result), Encoding.UTF8.GetBytes(JsonSerializer.Serialize(result, ScaleOutJson.Indented) + "\n"));

    private (TextWriter Output, bool Redirected) Terminal(CommandInput input) =>
        input.Value(_quiet) ? (TextWriter.Null, true)
        : Json.IsStandardOutput(input) ? (Console.Error, Console.IsErrorRedirected)
        : (Console.Out, Console.IsOutputRedirected);
}
