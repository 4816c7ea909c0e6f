using Spectre.Console;

namespace ScaleOut.DevBox.Display;

/// <summary>Errors for people: one line each, on standard error. Writing them never throws.</summary>
internal static class ErrorLines
{
    private const string Red = "\e[31m";
    private const string Yellow = "\e[33m";
    private const string NoColor = "\e[0m";

    /// <summary>Whether the standard error is a terminal that shows colours, and NO_COLOR is not set.</summary>
    private static bool ShowsColors => AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) })
        .Profile.Capabilities is { Ansi: true, ColorSystem: not ColorSystem.NoColors };

    public static void Write(IEnumerable<string> errors) => WriteLines(Red, "error:", errors);

    /// <summary>Writes warnings, which do not end a command.</summary>
    public static void Warn(IEnumerable<string> warnings) => WriteLines(Yellow, "warning:", warnings);

    /// <summary>
    /// Reports an error that no handler expects, and where its details are. They are in the given file. If there is none or it cannot be
    /// written, they are in a file in the user's own folder.
    /// </summary>
    public static void WriteUnexpected(Exception exception, string? logFile)
    {
        var file = CrashDetails.TryKeep(exception, logFile);
        Write([$"{OneLine.From(Innermost(exception).Message)}{(file is null ? "" : $" (details in {file})")}"]);
    }

    private static Exception Innermost(Exception exception) =>
        exception is AggregateException { InnerException: { } inner } ? Innermost(inner) : exception;

    private static void WriteLines(string color, string mark, IEnumerable<string> texts)
    {
        foreach (var text in texts)
            WriteLine(color, mark, text);
    }

    private static void WriteLine(string color, string mark, string text)
    {
        var line = $"{mark} {text}";
        try
        {
            if (!Console.IsErrorRedirected && ShowsColors)
                line = $"{color}{mark}{NoColor} {text}";
            WrappingWriter.For(Console.Error, Console.IsErrorRedirected).WriteLine(line);
        }
        catch (Exception)
        {
            // The console needs a free file descriptor, too.
            RawStandardError.WriteLine(line);
        }
    }
}
