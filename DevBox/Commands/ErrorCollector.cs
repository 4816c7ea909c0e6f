namespace ScaleOut.DevBox.Commands;

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
