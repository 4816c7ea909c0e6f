namespace ScaleOut.Specs;

/// <summary>
/// The effective client settings of one worker: a run's <see cref="ClientSpec"/> with the worker's overrides and all defaults filled in.
/// </summary>
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

/// <summary>Client settings of every worker that has no override.</summary>
public sealed record ClientSpec
{
    /// <summary>Default <see cref="ConnectionMode.Direct"/>.</summary>
    public ConnectionMode ConnectionMode { get; init; } = ConnectionMode.Direct;

    /// <summary>Operations in flight, 1 to 100,000. Null means 20, for <see cref="WorkloadKind.Bulk"/> 1,000.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Consistency the client asks for, never stronger than the account's. Null means the account's.</summary>
    public ConsistencyLevel? Consistency { get; init; }

    /// <summary>
    /// Connections, 1 to 65,535: <c>GatewayModeMaxConnectionLimit</c> in Gateway (SDK default 50),
    /// <c>MaxTcpConnectionsPerEndpoint</c> in Direct (SDK default 65,535). Null means the SDK's default.
    /// </summary>
    public int? MaxConnections { get; init; }

    /// <summary>Whether writes return the document. Default false.</summary>
    public bool ContentResponseOnWrite { get; init; }

    /// <summary>
    /// Open loop: documents per second and worker, above 0 to 1,000,000. Null means a closed loop of <see cref="Concurrency"/> operations.
    /// </summary>
    public double? Rate { get; init; }

    /// <summary>
    /// Processor cores that each worker may use, 1 to 1,024: on the dev box each worker process is bound to so many. Elsewhere it has no
    /// effect but a warning. Null means all of the machine's.
    /// </summary>
    public int? Cores { get; init; }
}

/// <summary>A partial <see cref="ClientSpec"/>: what is null stays as the run has it.</summary>
public sealed record ClientOverride
{
    public ConnectionMode? ConnectionMode { get; init; }

    public int? Concurrency { get; init; }

    public ConsistencyLevel? Consistency { get; init; }

    public int? MaxConnections { get; init; }

    public bool? ContentResponseOnWrite { get; init; }

    public double? Rate { get; init; }

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
    /// <summary>Operations in flight where a spec does not say.</summary>
    public const int DefaultConcurrency = 20;

    /// <summary>Operations in flight of a client that groups them in bulk, where a spec does not say.</summary>
    public const int DefaultBulkConcurrency = 1_000;

    /// <summary>The effective client settings of a worker: the run's, then its overrides in their order, then the defaults.</summary>
    /// <param name="spec">A valid spec.</param>
    /// <param name="worker">Index of the worker, from 0.</param>
    public static ClientSettings SettingsOf(this RunSpec spec, int worker)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var client = spec.WorkerOverrides
            .Where(entry => entry.Workers.Contains(worker))
            .Aggregate(spec.Client, (settings, entry) => Apply(settings, entry.Client));
        return new ClientSettings
        {
            ConnectionMode = client.ConnectionMode,
            Concurrency = client.Concurrency ?? (spec.Workload.UsesBulk ? DefaultBulkConcurrency : DefaultConcurrency),
            Consistency = client.Consistency,
            MaxConnections = client.MaxConnections,
            ContentResponseOnWrite = client.ContentResponseOnWrite,
            Rate = client.Rate,
            Cores = client.Cores,
        };
    }

    private static ClientSpec Apply(ClientSpec settings, ClientOverride change) => settings with
    {
        ConnectionMode = change.ConnectionMode ?? settings.ConnectionMode,
        Concurrency = change.Concurrency ?? settings.Concurrency,
        Consistency = change.Consistency ?? settings.Consistency,
        MaxConnections = change.MaxConnections ?? settings.MaxConnections,
        ContentResponseOnWrite = change.ContentResponseOnWrite ?? settings.ContentResponseOnWrite,
        Rate = change.Rate ?? settings.Rate,
        Cores = change.Cores ?? settings.Cores,
    };
}
