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

/// <summary>Gathers what is wrong with several inputs, so that a user learns of all of it at once.</summary>
internal sealed class FaultCollector
{
    private readonly List<string> _faults;

    /// <param name="known">Faults that are known already.</param>
    public FaultCollector(IEnumerable<string> known) => _faults = [.. known];

    public void Add(IEnumerable<string> faults) => _faults.AddRange(faults);

    public T? Try<T>(Func<T> read)
    {
        try
        {
            return read();
        }
        catch (InputException e)
        {
            _faults.AddRange(e.Faults);
            return default;
        }
    }

    public void Try(Action check) => Try<object?>(() =>
    {
        check();
        return null;
    });

    public async Task<T?> TryAsync<T>(Func<Task<T>> read)
    {
        try
        {
            return await read();
        }
        catch (InputException e)
        {
            _faults.AddRange(e.Faults);
            return default;
        }
    }

    /// <exception cref="InputException">Everything that was wrong, each fault once.</exception>
    public void ThrowIfAny()
    {
        if (_faults.Count > 0)
            throw new InputException([.. _faults.Distinct()]);
    }
}
