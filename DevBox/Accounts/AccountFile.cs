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
}
