namespace ScaleOut.Specs;

/// <summary>Client settings as a spec gives them, for every worker or for some: what is null is left to those below.</summary>
public sealed record ClientSpec
{
    /// <summary>Most operations in flight.</summary>
    public const int MostConcurrency = 100_000;

    /// <summary>Most <see cref="MaxConnections"/>.</summary>
    public const int MostConnections = 65_535;

    /// <summary>Most <see cref="Cores"/>.</summary>
    public const int MostCores = 1_024;

    /// <summary>Most documents per second and worker of an open loop.</summary>
    public const double MostRate = 1_000_000;

    /// <summary>Operations in flight where a spec does not say.</summary>
    public const int DefaultConcurrency = 20;

    /// <summary>Operations in flight of a client that groups them in bulk, where a spec does not say.</summary>
    public const int DefaultBulkConcurrency = 1_000;

    /// <summary>A run's client where its spec says nothing; what stays null is explained at its property.</summary>
    public static readonly ClientSpec Defaults = new() { ConnectionMode = Specs.ConnectionMode.Direct, ContentResponseOnWrite = false };

    /// <summary>Default <see cref="ConnectionMode.Direct"/>.</summary>
    public ConnectionMode? ConnectionMode { get; init; }

    /// <summary>
    /// Operations in flight, 1 to <see cref="MostConcurrency"/>. Default <see cref="DefaultConcurrency"/>, for
    /// <see cref="WorkloadKind.Bulk"/> <see cref="DefaultBulkConcurrency"/>.
    /// </summary>
    public int? Concurrency { get; init; }

    /// <summary>Consistency the client asks for, never stronger than the account's. Default the account's.</summary>
    public ConsistencyLevel? Consistency { get; init; }

    /// <summary>
    /// Connections, 1 to <see cref="MostConnections"/>: <c>GatewayModeMaxConnectionLimit</c> in Gateway (SDK default 50),
    /// <c>MaxTcpConnectionsPerEndpoint</c> in Direct (SDK default 65,535). Default the SDK's.
    /// </summary>
    public int? MaxConnections { get; init; }

    /// <summary>Whether writes return the document. Default false.</summary>
    public bool? ContentResponseOnWrite { get; init; }

    /// <summary>
    /// Open loop: documents per second and worker, above 0 to <see cref="MostRate"/>. Default a closed loop of <see cref="Concurrency"/>
    /// operations.
    /// </summary>
    public double? Rate { get; init; }

    /// <summary>
    /// Processor cores that each worker may use, 1 to <see cref="MostCores"/>: on the dev box each worker process is bound to so many.
    /// Elsewhere it has no effect but a warning. Default all of the machine's.
    /// </summary>
    public int? Cores { get; init; }

    /// <summary>These settings, and those of others where these say nothing.</summary>
    public ClientSpec Over(ClientSpec settings)
    {
        return new()
        {
            ConnectionMode = ConnectionMode ?? settings.ConnectionMode,
            Concurrency = Concurrency ?? settings.Concurrency,
            Consistency = Consistency ?? settings.Consistency,
            MaxConnections = MaxConnections ?? settings.MaxConnections,
            ContentResponseOnWrite = ContentResponseOnWrite ?? settings.ContentResponseOnWrite,
            Rate = Rate ?? settings.Rate,
            Cores = Cores ?? settings.Cores,
        };
    }
}

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
    /// <param name="worker">Index of the worker, from 0.</param>
    public static ClientSettings SettingsOf(this RunSpec spec, int worker)
    {
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
