namespace ScaleOut.Specs;

/// <summary>
/// The effective client settings of one worker: a run's <see cref="ClientSpec"/> with the worker's overrides and all defaults filled in.
/// </summary>
public sealed record ClientSettings
{
    public required ConnectionMode ConnectionMode { get; init; }

    /// <summary>Operations in flight.</summary>
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

/// <summary>How a worker's client reaches the account.</summary>
public enum ConnectionMode
{
    /// <summary>HTTPS through the account's gateway.</summary>
    Gateway,

    /// <summary>TCP (RNTBD over TLS) straight to the replicas of each physical partition.</summary>
    Direct,
}

/// <summary>
/// Consistency of an account, or the weaker one a client asks for; strongest first, so a smaller value is a stronger promise.
/// </summary>
public enum ConsistencyLevel
{
    Strong,
    BoundedStaleness,
    Session,
    ConsistentPrefix,
    Eventual,
}

/// <summary>What follows from a level of consistency.</summary>
public static class ConsistencyOfReads
{
    /// <summary>Whether reads ask two replicas, and so are charged twice.</summary>
    public static bool AsksTwoReplicas(this ConsistencyLevel level) =>
        level is ConsistencyLevel.Strong or ConsistencyLevel.BoundedStaleness;
}

/// <summary>Fills in what a spec leaves open about a worker's client.</summary>
public static class ClientSettingsResolution
{
    /// <summary>The effective client settings of a worker: the run's, then its overrides in their order, then the defaults.</summary>
    /// <param name="spec">A valid spec.</param>
    /// <param name="worker">Index of the worker, from 0.</param>
    public static ClientSettings SettingsOf(this RunSpec spec, int worker)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var client = spec.WorkerOverrides
            .Where(entry => entry.Workers.Contains(worker))
            .Aggregate(spec.Client.Over(ClientSpec.Defaults), (settings, entry) => entry.Client.Over(settings));
        return new ClientSettings
        {
            ConnectionMode = client.ConnectionMode!.Value,
            Concurrency = client.Concurrency
                ?? (spec.Workload.UsesBulk ? ClientSpec.DefaultBulkConcurrency : ClientSpec.DefaultConcurrency),
            Consistency = client.Consistency,
            MaxConnections = client.MaxConnections,
            ContentResponseOnWrite = client.ContentResponseOnWrite!.Value,
            Rate = client.Rate,
            Cores = client.Cores,
        };
    }
}
