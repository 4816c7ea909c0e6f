namespace ScaleOut.DevBox.Display;

/// <summary>Writes a page to the console, and the paths of its files below it.</summary>
internal static class ConsolePage
{
    /// <summary>Standard output, with lines that fit into a terminal.</summary>
    public static TextWriter Output => WrappingWriter.For(Console.Out, Console.IsOutputRedirected);

    /// <summary>A page as the text of a file: Markdown if its name ends with <c>.md</c>, else HTML.</summary>
    public static string FileText(ReportPage page, string file) =>
        file.EndsWith(".md", StringComparison.OrdinalIgnoreCase) ? page.ToMarkdown() : page.ToHtml();

    /// <param name="files">What each file is, and its path.</param>
    public static async Task WriteAsync(TextWriter text, ReportPage page, params IReadOnlyList<(string What, string Path)> files)
    {
        foreach (var line in page.ToText(WrappingWriter.ColumnsOf(text)))
            await text.WriteLineAsync(line);
        if (files.Count > 0)
            await text.WriteLineAsync();
        foreach (var (what, path) in files)
            await text.WriteLineAsync($"{what}: {path}");
    }

    /// <summary>The page of an experiment or a search that has ended.</summary>
    public static async Task WriteAsync(TextWriter text, ReportPage page, RunFolder folder)
    {
        await text.WriteLineAsync();
        await WriteAsync(text, page, ("report", folder.ReportPage));
    }

    /// <summary>
    /// The page of a run that has ended. The comparison with its ledger, and errors after the report was written, are shown only here.
    /// </summary>
    public static async Task WriteAsync(TextWriter text, RunResult result, RunFolder folder)
    {
        await text.WriteLineAsync();
        await WriteAsync(text, RunForms.Kind.PageOf(result.Report), []);
        if (result.Outcome.Reasons.Except(result.Report.Warnings).ToList() is { Count: > 0 } reasons)
        {
            await text.WriteLineAsync();
            foreach (var reason in reasons)
                await text.WriteLineAsync($"  - {reason}");
        }

        await text.WriteLineAsync();
        if (result.Ledger is { } ledger)
            await text.WriteLineAsync($"ledger: {ledger.Text}");
        await text.WriteLineAsync($"report: {folder.ReportPage}");
    }
}

/// <summary>Writes whole lines to a terminal, broken between words.</summary>
internal sealed class WrappingWriter(TextWriter inner, Func<int> columns) : TextWriter(inner.FormatProvider)
{
    public override Encoding Encoding => inner.Encoding;

    private int Columns => columns();

    /// <summary>Columns into which a text fits.</summary>
    public static int ColumnsOf(TextWriter output) => output is WrappingWriter wrapping ? wrapping.Columns : int.MaxValue;

    /// <summary>Standard output or standard error: with broken lines for a terminal, with whole lines for a file or pipe.</summary>
    public static TextWriter For(TextWriter output, bool redirected) => redirected ? output : new WrappingWriter(output, ColumnsOrEndless);

    public override void Write(char value) => inner.Write(value);

    public override void WriteLine(string? value)
    {
        foreach (var part in WrappedLines.From(value ?? "", Columns))
            inner.WriteLine(part);
    }

    public override async Task WriteLineAsync(string? value)
    {
        foreach (var part in WrappedLines.From(value ?? "", Columns))
            await inner.WriteLineAsync(part);
    }

    public override void Flush() => inner.Flush();

    private static int ColumnsOrEndless()
    {
        try
        {
            return Console.WindowWidth is > 0 and var width ? width : int.MaxValue;
        }
        catch (IOException)
        {
            // There is no console, such as behind a pipe.
            return int.MaxValue;
        }
    }
}
