namespace ScaleOut.Specs;

/// <summary>How a worker's client reaches the account.</summary>
public enum ConnectionMode
{
    /// <summary>HTTPS through the account's gateway.</summary>
    Gateway,

    /// <summary>TCP (RNTBD over TLS) straight to the replicas of each physical partition.</summary>
    Direct,
}
