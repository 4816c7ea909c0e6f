namespace ScaleOut.Specs;

/// <summary>Client settings of a spec, for all workers or for some. A null field falls back to more general settings.</summary>
public sealed record ClientSpec
{
    /// <summary>Maximum number of operations in flight, of one worker and of all workers in a step.</summary>
    public const int MaxConcurrency = 100_000;

    /// <summary>One operation in about 17 minutes: less is no load, and makes no estimate.</summary>
    internal const double MinRate = 0.001;

    /// <summary>Maximum number of documents per second and worker in an open loop.</summary>
    internal const double MaxRate = 1_000_000;

    /// <summary>Longest <see cref="RequestTimeout"/>, in seconds: a leg waits as long for its last operations.</summary>
    public const int MaxRequestTimeoutSeconds = 10;

    /// <summary>Throughput buckets of a container: https://learn.microsoft.com/azure/cosmos-db/throughput-buckets.</summary>
    private const int MaxThroughputBucket = 5;

    /// <summary>Shortest <see cref="IdleConnectionTimeout"/> that the SDK accepts, in seconds.</summary>
    private const int MinIdleSeconds = 600;

    private const int MaxIdleSeconds = 86_399;

    /// <summary>Operations in flight if a spec gives none.</summary>
    public const int DefaultConcurrency = 20;

    /// <summary>Operations in flight in bulk mode if a spec gives none.</summary>
    public const int DefaultBulkConcurrency = 1_000;

    /// <summary>The client settings of a spec without any.</summary>
    public static readonly ClientSpec Defaults = new() { ConnectionMode = Specs.ConnectionMode.Direct, ContentResponseOnWrite = false };

    [SpecField("Gateway is HTTPS, Direct is TCP to the replicas.")]
    public ConnectionMode? ConnectionMode { get; init; }

    [SpecField("Operations in flight per worker; in bulk {0} when left out.", DefaultBulkConcurrency,
        Min = 1, Max = MaxConcurrency, Default = DefaultConcurrency)]
    public int? Concurrency { get; init; }

    [SpecField("Never stronger than the account's, which holds when left out.")]
    public ConsistencyLevel? Consistency { get; init; }

    [SpecField(
        "GatewayModeMaxConnectionLimit in Gateway, MaxTcpConnectionsPerEndpoint in Direct; the SDK's default (50, 65,535) when left out.",
        Min = 1, Max = 65_535)]
    public int? MaxConnections { get; init; }

    [SpecField("Direct: MaxRequestsPerTcpConnection, requests in flight on one connection; the SDK's default (30) when left out.",
        Min = 1, Max = 1_000)]
    public int? MaxRequestsPerConnection { get; init; }

    [SpecField("Direct: IdleTcpConnectionTimeout, after which an unused connection is closed; never when left out.",
        Min = MinIdleSeconds, Max = MaxIdleSeconds)]
    public TimeSpan? IdleConnectionTimeout { get; init; }

    [SpecField("Direct: RequestTimeout, the longest wait for one request, in whole seconds; {0} s when left out.",
        MaxRequestTimeoutSeconds, Min = 1, Max = MaxRequestTimeoutSeconds)]
    public TimeSpan? RequestTimeout { get; init; }

    [SpecField("PriorityLevel of all requests, on accounts with priority-based execution; the account's default when left out.")]
    public RequestPriority? Priority { get; init; }

    [SpecField("ThroughputBucket of all requests, on containers with throughput buckets; none when left out.",
        Min = 1, Max = MaxThroughputBucket)]
    public int? ThroughputBucket { get; init; }

    [SpecField("ApplicationRegion, whose place orders the account's regions, such as West Europe; the account's order when left out.",
        Filled = true, MaxLength = 30)]
    public string? PreferredRegion { get; init; }

    [SpecField("Whether writes return the document.")]
    public bool? ContentResponseOnWrite { get; init; }

    [SpecField("Open loop: documents per second and worker. A closed loop when left out.", Min = MinRate, Max = MaxRate)]
    public double? Rate { get; init; }

    /// <summary>Only has an effect on the dev box. Other hosts add a warning to the report.</summary>
    [SpecField("Processor cores that each worker process is bound to on the dev box; all when left out.", Min = 1, Max = 1_024)]
    public int? Cores { get; init; }

    /// <summary>Returns these settings, with the given ones in place of null fields.</summary>
    public ClientSpec Over(ClientSpec settings)
    {
        var merged = new ClientSpec();
        foreach (var field in SpecField.From(typeof(ClientSpec)))
            field.SetIn(merged, field.ValueIn(this) ?? field.ValueIn(settings));
        return merged;
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

    /// <summary>Null means the account's consistency.</summary>
    public ConsistencyLevel? Consistency { get; init; }

    /// <summary>Null means the SDK's default.</summary>
    public int? MaxConnections { get; init; }

    /// <inheritdoc cref="MaxConnections"/>
    /// <remarks>Only in Direct.</remarks>
    public int? MaxRequestsPerConnection { get; init; }

    /// <summary>At least 10 minutes, and only in Direct. Null means that connections stay open.</summary>
    public TimeSpan? IdleConnectionTimeout { get; init; }

    /// <summary>In whole seconds, and only in Direct. Null means <see cref="ClientSpec.MaxRequestTimeoutSeconds"/>.</summary>
    public TimeSpan? RequestTimeout { get; init; }

    /// <summary>Null means the account's default.</summary>
    public RequestPriority? Priority { get; init; }

    /// <summary>1 to 5; null means no bucket.</summary>
    public int? ThroughputBucket { get; init; }

    /// <summary>A region of Azure; null means the account's own order of regions.</summary>
    public string? PreferredRegion { get; init; }

    public bool ContentResponseOnWrite { get; init; }

    /// <summary>Documents per second in an open loop; null in a closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>Number of cores that the worker is bound to; null for all cores of the machine.</summary>
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
/// Consistency of an account, or the weaker one that a client asks for. Smaller values are stronger.
/// </summary>
public enum ConsistencyLevel
{
    Strong,
    BoundedStaleness,
    Session,
    ConsistentPrefix,
    Eventual,
}

/// <summary>The priority of requests. An account with priority-based execution throttles requests of low priority first.</summary>
public enum RequestPriority
{
    High,
    Low,
}

public static class ConsistencyOfReads
{
    /// <summary>Whether reads ask two replicas, and so are charged twice.</summary>
    public static bool AsksTwoReplicas(this ConsistencyLevel level) =>
        level is ConsistencyLevel.Strong or ConsistencyLevel.BoundedStaleness;
}

/// <summary>Resolves the effective client settings of a worker.</summary>
public static class ClientSettingsResolution
{
    /// <summary>
    /// The effective client settings of a worker. The last override for the worker wins over earlier ones, then over the run's settings,
    /// and these over the defaults.
    /// </summary>
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
            MaxRequestsPerConnection = client.MaxRequestsPerConnection,
            IdleConnectionTimeout = client.IdleConnectionTimeout,
            RequestTimeout = client.RequestTimeout,
            Priority = client.Priority,
            ThroughputBucket = client.ThroughputBucket,
            PreferredRegion = client.PreferredRegion,
            ContentResponseOnWrite = client.ContentResponseOnWrite!.Value,
            Rate = client.Rate,
            Cores = client.Cores,
        };
    }

    /// <summary>Operations per second of a worker's schedule; null in a closed loop, and where steps have several rates.</summary>
    /// <param name="worker">Index of the worker, from 0.</param>
    public static double? ScheduledRateOf(this RunSpec spec, int worker)
    {
        if (spec.Workload.Steps is not { } steps)
            return spec.SettingsOf(worker).Rate;
        var rates = steps.Select(step => step.Rate).Distinct().ToList();
        return rates.Count == 1 ? rates[0] : null;
    }
}
