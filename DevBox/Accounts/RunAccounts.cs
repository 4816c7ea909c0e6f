namespace ScaleOut.DevBox.Accounts;

/// <summary>Starts or finds the account of a run, and stores its address in the run's folder.</summary>
internal static class RunAccounts
{
    /// <summary>Starts a simulated account for a new run.</summary>
    /// <exception cref="InvalidOperationException">The account did not start.</exception>
    public static async Task<RunAccount> StartAsync(RunFolder folder, RunSpec spec, CancellationToken cancellationToken)
    {
        var files = new AccountFolder(folder.FullPath);
        var handshakeRequest = new AccountHandshakeRequest
        {
            Simulation = spec.Simulation ?? new SimulationSpec(),
            Seed = spec.Seed,
            LockFile = Path.GetFullPath(folder.LockFile),
        };
        var (process, handshakeResponse) = await SimulatedAccountProcess.StartAsync(
            handshakeRequest, folder.RunId, folder.AccountLog, spec.MostOperations(), cancellationToken);
        var file = new AccountFile
        {
            Endpoint = handshakeResponse.Endpoint!,
            Simulated = true,
            ProcessId = process.Id,
            Seed = spec.Seed,
            ControlEndpoint = handshakeResponse.ControlEndpoint,
            CertificateThumbprint = handshakeResponse.CertificateThumbprint,
        };
        using var givenUp = cancellationToken.Register(process.Kill);
        try
        {
            await files.WriteKeyAsync(handshakeResponse.Key!, cancellationToken);
            await files.WriteAsync(file, cancellationToken);
        }
        catch
        {
            // Without its files, the account cannot be found again.
            process.Kill();
            throw;
        }

        return new RunAccount(file.ToConnection(handshakeResponse.Key), process, files);
    }

    /// <summary>
    /// Stores the address of the real account or emulator of a new run or experiment. Must be called before the id is claimed, because a
    /// claimed run without this file cannot be resumed.
    /// </summary>
    public static Task NoteAsync(RunFolder folder, AccountConnection account, CancellationToken cancellationToken) =>
        new AccountFolder(folder.FullPath).WriteAsync(
            new AccountFile
            {
                Endpoint = account.Endpoint,
                Simulated = false,
                CertificateThumbprint = account.CertificateThumbprint,
                ResourceId = account.ResourceId,
                Tables = account.Tables is not null,
            },
            cancellationToken);

    /// <summary>Stores the address of the real account or emulator of a run, and returns the account.</summary>
    public static async Task<RunAccount> UseAsync(RunFolder folder, AccountConnection account, CancellationToken cancellationToken)
    {
        await NoteAsync(folder, account, cancellationToken);
        return new RunAccount(account, process: null, new AccountFolder(folder.FullPath));
    }

    /// <summary>Finds the account of a run that is to be resumed.</summary>
    /// <param name="key">Key of a real account; null for an identity.</param>
    /// <param name="mayBeGone">Whether the simulated account may be gone, because its documents are not needed any more.</param>
    /// <returns>Null if the run has no account yet.</returns>
    /// <exception cref="InputException">The simulated account is gone, or the run's table account is not given.</exception>
    public static async Task<RunAccount?> FindAsync(
        RunFolder folder, string? key, CancellationToken cancellationToken, bool mayBeGone = false, TableAccount? tables = null)
    {
        var files = new AccountFolder(folder.FullPath);
        if (await files.ReadAsync(cancellationToken) is not { } file)
            return null;
        if (file.Tables)
        {
            return tables?.Endpoint == file.Endpoint
                ? new RunAccount(tables.ToConnection(), process: null, files)
                : throw new InputException(
                    $"run '{folder.RunId}' cannot be resumed: it writes to tables of {file.Endpoint}; give that account as --table-account "
                    + $"or in {TableAccount.Setting}.");
        }

        if (!file.Simulated)
            return new RunAccount(file.ToConnection(key), process: null, files);
        var process = file is { ProcessId: { } id, ControlEndpoint: { } control }
            ? await SimulatedAccountProcess.FindAsync(id, control, cancellationToken)
            : null;
        var ownKey = await files.ReadKeyAsync(cancellationToken);
        if ((process is null || ownKey is null) && !mayBeGone)
            throw new InputException(
                $"run '{folder.RunId}' cannot be resumed: its simulated account (process {file.ProcessId}) is gone, and its documents "
                + "with it.");
        return new RunAccount(file.ToConnection(ownKey), process, files);
    }

    /// <summary>The account that a run writes to: the table account if its workload writes to tables, otherwise the given one.</summary>
    /// <exception cref="InputException">The run writes to tables, and there is no table account.</exception>
    public static AccountConnection? ConnectionOf(RunSpec spec, AccountConnection? account, TableAccount? tables) =>
        !spec.Workload.Kind.UsesTables() ? account
        : tables?.ToConnection() ?? throw new InputException($"workload.kind: {TableAccount.Missing}");
}

/// <summary>
/// The account that a run uses: a real one, or the simulated one in a process of its own. That process may have exited if only the report
/// is missing.
/// </summary>
internal sealed class RunAccount(AccountConnection connection, SimulatedAccountProcess? process, AccountFolder folder) : IAsyncDisposable
{
    private bool _ended;

    public AccountConnection Connection { get; } = connection;

    /// <summary>
    /// Completes with the reason if the simulated account's process ends before it was asked to. Never completes for other accounts.
    /// </summary>
    public Task<string> Gone { get; } = process?.Ended ?? new TaskCompletionSource<string>().Task;

    /// <summary>The simulated account's ledger and shutdown; null for other accounts.</summary>
    public AccountControl? Control => process?.Control;

    /// <summary>Whether this is a simulated account that has not ended, so that its documents are still there.</summary>
    public bool Waits => process is not null && !_ended && !Gone.IsCompleted;

    /// <inheritdoc cref="SimulatedAccountProcess.EndIfFrozenAsync"/>
    public Task EndIfFrozenAsync(Action<string> warn) => process?.EndIfFrozenAsync(warn) ?? Task.CompletedTask;

    /// <summary>Ends the simulated account's process by force.</summary>
    public void Kill()
    {
        _ended = true;
        process?.Kill();
        folder.DeleteKey();
    }

    /// <summary>Stops the simulated account, which loses its documents, and deletes its key.</summary>
    public async Task EndAsync()
    {
        _ended = true;
        if (process is not null)
            await process.EndAsync();
        if (Connection.Simulated)
            folder.DeleteKey();
    }

    /// <summary>Releases the account without stopping it.</summary>
    public async ValueTask DisposeAsync()
    {
        if (process is not null)
            await process.DisposeAsync();
    }
}
