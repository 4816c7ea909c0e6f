namespace ScaleOut.DevBox.Commands;

/// <summary>The values of a command line, and the errors of the line itself.</summary>
/// <param name="parsed">The command line as far as it could be parsed.</param>
/// <param name="lineErrors">What could not be: unknown options, missing or surplus values. With any of these the command only judges the
/// rest, and starts nothing.</param>
internal sealed class CommandInput(ParseResult parsed, IReadOnlyList<string> lineErrors)
{
    /// <summary>The command line as somebody could give it again, without secrets.</summary>
    public string CommandText => CommandLineText.From([.. parsed.Tokens.Select(token => token.Value)]);

    /// <summary>Begins with the errors of the command line, so that they are shown together with those of the values.</summary>
    public ErrorCollector Errors() => new(lineErrors);

    /// <summary>An option's value; its default, or null, where the command line has an error in its place.</summary>
    public T? Value<T>(Option<T> option) => Read(() => parsed.GetValue(option));

    /// <summary>An argument's value; its default, or null, where the command line has an error in its place.</summary>
    public T? Value<T>(Argument<T> argument) => Read(() => parsed.GetValue(argument));

    private T? Read<T>(Func<T?> read)
    {
        try
        {
            return read();
        }
        catch (InvalidOperationException) when (lineErrors.Count > 0)
        {
            // The value is one of these errors.
            return default;
        }
    }
}

/// <summary>Gathers the errors of several inputs, so that a user learns of all of them at once.</summary>
internal sealed class ErrorCollector
{
    private readonly List<string> _errors;

    public ErrorCollector(IEnumerable<string> known) => _errors = [.. known];

    public void Add(IEnumerable<string> errors) => _errors.AddRange(errors);

    public T? Try<T>(Func<T> read)
    {
        try
        {
            return read();
        }
        catch (InputException e)
        {
            _errors.AddRange(e.Errors);
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
            _errors.AddRange(e.Errors);
            return default;
        }
    }

    /// <exception cref="InputException">Everything that was wrong, each error once.</exception>
    public void ThrowIfAny()
    {
        if (_errors.Count > 0)
            throw new InputException([.. _errors.Distinct()]);
    }
}
