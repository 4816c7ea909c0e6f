namespace ScaleOut.DevBox.Accounts;

/// <summary>First line that the account's process writes: how to reach it, or why it could not start.</summary>
internal sealed record AccountGreeting
{
    public Uri? Endpoint { get; init; }

    public Uri? ControlEndpoint { get; init; }

    public string? Key { get; init; }

    public string? CertificateThumbprint { get; init; }

    /// <summary>Set instead of the rest when it could not start.</summary>
    public string? Fault { get; init; }

    /// <summary>The endpoint alone: a record's own text would show the key.</summary>
    public override string ToString() => Endpoint?.ToString() ?? Fault ?? "";
}
