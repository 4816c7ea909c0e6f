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

/// <summary>Collects the errors of several inputs, so that they are reported together.</summary>
internal sealed class ErrorCollector
{
    private readonly List<InputError> _errors;

    public ErrorCollector(IEnumerable<InputError> known) => _errors = [.. known];

    public void Add(IEnumerable<InputError> errors) => _errors.AddRange(errors);

    public void Add(IEnumerable<string> lines) => _errors.AddRange([.. lines]);

    /// <param name="field">The option or the field that the error is about.</param>
    public void Add(string field, string message) => _errors.Add(new(field, message));

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

    /// <exception cref="InputException">There are errors; the exception has each of them once.</exception>
    public void ThrowIfAny()
    {
        if (_errors.Count > 0)
            throw new InputException([.. _errors.Distinct()]);
    }
}

/// <summary>Numbers that a user gives to options.</summary>
internal static partial class NumberText
{
    /// <summary>The text without the commas of thousands, as in <c>100,000</c>. Other texts stay as they are.</summary>
    public static string WithoutSeparators(string text) =>
        Thousands().IsMatch(text) ? text.Replace(",", "", StringComparison.Ordinal) : text;

    /// <summary>Reads a number within bounds.</summary>
    /// <exception cref="InputException">The text is not a number, or out of range.</exception>
    public static double Parse(string option, string text, double least, double most) =>
        double.TryParse(WithoutSeparators(text), NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            && number >= least && number <= most
            ? number
            : throw new InputException(
                option, $"'{text}' is not a number from {least:#,0.##} to {most:#,0.##}.");

    [GeneratedRegex(@"^-?\d{1,3}(,\d{3})+(\.\d+)?$")]
    private static partial Regex Thousands();
}
