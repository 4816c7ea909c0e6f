using System.CommandLine;

namespace ScaleOut.DevBox.Commands;

/// <summary>What a user gave to a command, and what is wrong with the command line itself.</summary>
/// <param name="parsed">The command line as far as it could be parsed.</param>
/// <param name="lineFaults">What could not be: unknown options, missing or surplus values. With any of these the command only judges the rest, and starts nothing.</param>
internal sealed class CommandInput(ParseResult parsed, IReadOnlyList<string> lineFaults)
{
    /// <summary>Begins with the faults of the command line, so that they are told together with those of the values.</summary>
    public FaultCollector Faults() => new(lineFaults);

    /// <summary>An option's value; its default, or null, where the command line has a fault in its place.</summary>
    public T? Value<T>(Option<T> option) => Read(() => parsed.GetValue(option));

    /// <summary>An argument's value; its default, or null, where the command line has a fault in its place.</summary>
    public T? Value<T>(Argument<T> argument) => Read(() => parsed.GetValue(argument));

    private T? Read<T>(Func<T?> read)
    {
        try
        {
            return read();
        }
        catch (InvalidOperationException) when (lineFaults.Count > 0)
        {
            // The value is one of these faults.
            return default;
        }
    }
}
