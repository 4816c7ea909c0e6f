using ScaleOut.Workers.Accounts;

namespace ScaleOut.DevBox.Accounts;

/// <summary>The account that a run goes to: a real one, or the simulated one in its process, which may be gone when only the report is left to make.</summary>
internal sealed class RunAccount : IAsyncDisposable
{
    private readonly SimulatedAccountProcess? _process;
    private readonly AccountFolder _folder;

    public RunAccount(AccountConnection connection, SimulatedAccountProcess? process, AccountFolder folder)
    {
        Connection = connection;
        _process = process;
        _folder = folder;
        Gone = process?.Ended ?? new TaskCompletionSource<string>().Task;
    }

    public AccountConnection Connection { get; }

    /// <summary>Ends with the reason when the simulated account's process ends before it was asked to; never for other accounts.</summary>
    public Task<string> Gone { get; }

    /// <summary>The simulated account's ledger and shutdown; null for other accounts.</summary>
    public AccountControl? Control => _process?.Control;

    /// <summary>Ends the simulated account's process by force.</summary>
    public void Kill()
    {
        _process?.Kill();
        _folder.DeleteKey();
    }

    /// <summary>Ends the simulated account, whose documents end with it, and forgets its key.</summary>
    public async Task EndAsync()
    {
        if (_process is not null)
            await _process.EndAsync();
        if (Connection.Simulated)
            _folder.DeleteKey();
    }

    /// <summary>Lets go of the account without ending it.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_process is not null)
            await _process.DisposeAsync();
    }
}
