namespace ScaleOut.DevBox.Display;

/// <summary>Writes whole lines to a terminal, broken between words.</summary>
internal sealed class WrappingWriter(TextWriter inner, Func<int> columns) : TextWriter(inner.FormatProvider)
{
    public override Encoding Encoding => inner.Encoding;

    private int Columns => columns();

    /// <summary>Columns into which a text fits.</summary>
    public static int ColumnsOf(TextWriter output) => output is WrappingWriter wrapping ? wrapping.Columns : int.MaxValue;

    /// <summary>Standard output, or standard error, as what reads it wants its lines: broken for people, whole for programs.</summary>
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
            return int.MaxValue;
        }
    }
}
