namespace ScaleOut.DevBox.Commands;

/// <summary>The values of a command line, and the errors of the line itself.</summary>
/// <param name="parsed">The command line as far as it could be parsed.</param>
/// <param name="lineErrors">
/// Errors of the parser: unknown options, missing or surplus values. If there are any, the command only checks the rest, and starts
/// nothing.
/// </param>
internal sealed class CommandInput(ParseResult parsed, IReadOnlyList<InputError> lineErrors)
{
    /// <summary>The command line as a user could repeat it, without secrets.</summary>
    public string CommandText => CommandLineText.From([.. parsed.Tokens.Select(token => token.Value)]);

    /// <summary>Begins with the errors of the command line, so that they are shown together with those of the values.</summary>
    public ErrorCollector Errors() => new(lineErrors);

    /// <summary>An option's value. If the command line has an error there, its default or null.</summary>
    public T? Value<T>(Option<T> option) => Read(() => parsed.GetValue(option));

    /// <summary>An argument's value. If the command line has an error there, its default or null.</summary>
    public T? Value<T>(Argument<T> argument) => Read(() => parsed.GetValue(argument));

    private T? Read<T>(Func<T?> read)
    {
        try
        {
            return read();
        }
        catch (InvalidOperationException) when (lineErrors.Count > 0)
        {
            // The value is the subject of one of these errors.
            return default;
        }
    }
}
