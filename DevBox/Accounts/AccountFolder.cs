namespace ScaleOut.DevBox.Accounts;

/// <summary>
/// The files of a run's account in the run's folder: <c>account.json</c>, and the key of a simulated account. Only their owner can read the
/// two files, because the control endpoint in them lets any program end the account.
/// </summary>
internal sealed class AccountFolder(string runFolder)
{
    private string FilePath => Path.Combine(runFolder, "account.json");

    private string KeyPath => Path.Combine(runFolder, "account.key");

    public Task WriteAsync(AccountFile account, CancellationToken cancellationToken) =>
        DurableFile.WriteAsync(
            FilePath,
            JsonSerializer.SerializeToUtf8Bytes(account, ScaleOutJson.Indented),
            cancellationToken,
            DurableFile.OwnerOnly,
            runFolder);

    /// <summary>Deletes what a job that was not claimed has left.</summary>
    public void Delete() => File.Delete(FilePath);

    /// <summary>Null if the run has no account yet.</summary>
    /// <exception cref="InputException">The file is damaged, or the run's folder was deleted or moved.</exception>
    public async Task<AccountFile?> ReadAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await TryReadAsync(FilePath, cancellationToken) is { } content
                ? JsonSerializer.Deserialize<AccountFile>(content, ScaleOutJson.Compact)
                : null;
        }
        catch (JsonException e)
        {
            throw new InputException($"{FilePath}: the file is damaged: {OneLine.From(e.Message)}");
        }
    }

    public Task WriteKeyAsync(string key, CancellationToken cancellationToken) =>
        DurableFile.WriteAsync(KeyPath, Encoding.UTF8.GetBytes(key), cancellationToken, DurableFile.OwnerOnly, runFolder);

    /// <exception cref="InputException">The run's folder was deleted or moved.</exception>
    public async Task<string?> ReadKeyAsync(CancellationToken cancellationToken) =>
        await TryReadAsync(KeyPath, cancellationToken) is { } content ? Encoding.UTF8.GetString(content) : null;

    public void DeleteKey()
    {
        try
        {
            File.Delete(KeyPath);
        }
        catch (DirectoryNotFoundException)
        {
            // The run's folder was deleted, and the key with it.
        }
    }

    private async Task<byte[]?> TryReadAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            return await File.ReadAllBytesAsync(path, cancellationToken);
        }
        catch (FileNotFoundException)
        {
            // The run has no account yet, or no key.
            return null;
        }
        catch (DirectoryNotFoundException)
        {
            throw new InputException($"{runFolder}: the folder was deleted or moved");
        }
    }
}

/// <summary><c>account.json</c> in a run's folder: where the run's account is, without its key.</summary>
internal sealed record AccountFile
{
    public required Uri Endpoint { get; init; }

    public required bool Simulated { get; init; }

    /// <summary>The simulated account's process; null for other accounts.</summary>
    public int? ProcessId { get; init; }

    /// <summary>The simulated account's seed; null for other accounts.</summary>
    public int? Seed { get; init; }

    /// <summary>Where the simulated account serves its ledger and takes its shutdown; null for other accounts.</summary>
    public Uri? ControlEndpoint { get; init; }

    public string? CertificateThumbprint { get; init; }

    public string? ResourceId { get; init; }

    public bool Tables { get; init; }

    /// <summary>How clients reach the account.</summary>
    /// <param name="key">Null for an identity.</param>
    public AccountConnection ToConnection(string? key) => new()
    {
        Endpoint = Endpoint, Key = key, ResourceId = ResourceId, CertificateThumbprint = CertificateThumbprint, Simulated = Simulated,
    };
}

/// <summary>The line that a run's account process reads when it starts: the account's physics.</summary>
internal sealed record AccountHandshakeRequest
{
    public required SimulationSpec Simulation { get; init; }

    public required int Seed { get; init; }

    /// <summary>The run's lock file. While a process holds it, the account is in use, even if it receives no requests.</summary>
    public required string LockFile { get; init; }
}

/// <summary>First line that the account's process writes: how to reach it, or why it could not start.</summary>
internal sealed record AccountHandshakeResponse
{
    public Uri? Endpoint { get; init; }

    public Uri? ControlEndpoint { get; init; }

    public string? Key { get; init; }

    public string? CertificateThumbprint { get; init; }

    /// <summary>Why the account could not start; set instead of the other properties.</summary>
    public string? Error { get; init; }

    /// <summary>The endpoint alone: a record's own text would show the key.</summary>
    public override string ToString() => Endpoint?.ToString() ?? Error ?? "";
}
