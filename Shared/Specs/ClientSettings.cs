namespace ScaleOut.Specs;

/// <summary>The effective client settings of one worker: a run's <see cref="ClientSpec"/> with the worker's overrides and all defaults filled in.</summary>
public sealed record ClientSettings
{
    public required ConnectionMode ConnectionMode { get; init; }

    /// <summary>Operations in flight, 1 to 100,000.</summary>
    public required int Concurrency { get; init; }

    /// <summary>Null means the account's.</summary>
    public ConsistencyLevel? Consistency { get; init; }

    /// <summary>Null means the SDK's default.</summary>
    public int? MaxConnections { get; init; }

    public bool ContentResponseOnWrite { get; init; }

    /// <summary>Documents per second in an open loop; null in a closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>Cores that the worker is bound to; null for all of the machine's.</summary>
    public int? Cores { get; init; }
}
