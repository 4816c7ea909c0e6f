namespace ScaleOut.DevBox.Accounts;

/// <summary><c>account.json</c> in a run's folder: where the run's account is, without its key.</summary>
internal sealed record AccountFile
{
    public required Uri Endpoint { get; init; }

    public required bool Simulated { get; init; }

    /// <summary>The simulated account's process; null for other accounts.</summary>
    public int? ProcessId { get; init; }

    /// <summary>The simulated account's seed; null for other accounts.</summary>
    public int? Seed { get; init; }

    /// <summary>The simulated account's ledger and shutdown; null for other accounts.</summary>
    public Uri? ControlEndpoint { get; init; }

    public string? CertificateThumbprint { get; init; }

    public string? ResourceId { get; init; }

    /// <summary>Whether it is a table account.</summary>
    public bool Tables { get; init; }
}

/// <summary>The line that the account's process of a run reads: its physics.</summary>
internal sealed record AccountHandshakeRequest
{
    public required SimulationSpec Simulation { get; init; }

    public required int Seed { get; init; }

    /// <summary>The run's lock file: while a process holds it, the account is in use even when nothing is asked of it.</summary>
    public required string LockFile { get; init; }
}

/// <summary>First line that the account's process writes: how to reach it, or why it could not start.</summary>
internal sealed record AccountHandshakeResponse
{
    public Uri? Endpoint { get; init; }

    public Uri? ControlEndpoint { get; init; }

    public string? Key { get; init; }

    public string? CertificateThumbprint { get; init; }

    /// <summary>Set instead of the rest when it could not start.</summary>
    public string? Error { get; init; }

    /// <summary>How clients reach the account that has started.</summary>
    public AccountConnection ToConnection() => new()
    {
        Endpoint = Endpoint!,
        Key = Key,
        CertificateThumbprint = CertificateThumbprint,
        Simulated = true,
    };

    /// <summary>The endpoint alone: a record's own text would show the key.</summary>
    public override string ToString() => Endpoint?.ToString() ?? Error ?? "";
}
