namespace ScaleOut.Workers.Accounts;

/// <summary>How to reach an account. It is sent to worker processes, and never printed, logged or kept in the run store.</summary>
public sealed record AccountConnection
{
    /// <summary>Environment variable, or setting, with <see cref="ResourceId"/>.</summary>
    public const string ResourceIdSetting = "COSMOS_RESOURCE_ID";

    public required Uri Endpoint { get; init; }

    /// <summary>Account key, base64. Null means <c>DefaultAzureCredential</c>.</summary>
    public string? Key { get; init; }

    /// <summary>
    /// Azure resource id of the account. If it is set, container and throughput calls go to Azure Resource Manager, because an identity
    /// cannot have the right to them on the data plane.
    /// </summary>
    public string? ResourceId { get; init; }

    /// <summary>SHA-256 of the only certificate to accept, 64 hexadecimal digits. Null means normal trust.</summary>
    public string? CertificateThumbprint { get; init; }

    public bool Simulated { get; init; }

    /// <summary>Where runs of <c>tableBatch</c> write; null if there is no table account.</summary>
    public TableAccount? Tables { get; init; }

    /// <summary>The endpoint alone: a record's own text would show the key.</summary>
    public override string ToString() => Endpoint.ToString();
}
