namespace ScaleOut.DevBox.Commands;

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
