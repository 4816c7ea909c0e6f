namespace ScaleOut.Specs;

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

    /// <summary>Open loop: documents per second and worker, above 0 to 1,000,000. Null means a closed loop of <see cref="Concurrency"/> operations.</summary>
    public double? Rate { get; init; }

    /// <summary>
    /// Processor cores that each worker may use, 1 to 1,024: on the dev box each worker process is bound to so many. Elsewhere it has no effect but a warning.
    /// Null means all of the machine's.
    /// </summary>
    public int? Cores { get; init; }
}
