namespace ScaleOut.Specs;

/// <summary>
/// How many connections a client opens to an account. It follows from the SDK's options: in Gateway up to
/// <c>GatewayModeMaxConnectionLimit</c>, in Direct one per replica set, and more where over half of the requests that a connection takes
/// (<c>MaxRequestsPerTcpConnection</c>) are under way.
/// </summary>
public static class ClientConnections
{
    /// <summary>Connections over which a client reads the account, the container and its partitions.</summary>
    public const int ForMetadata = 4;

    /// <summary>Requests that the SDK sends at a time over a connection in Direct if a spec gives none.</summary>
    public const int DefaultRequestsEach = 30;

    /// <summary>Replicas of a partition that the clients of a real account connect to.</summary>
    public const int Replicas = 4;

    /// <summary>Connections of one worker to the account, at most.</summary>
    /// <param name="sets">Addresses that a client in Direct keeps connections to.</param>
    public static long Max(RunSpec spec, ClientSettings worker, int sets)
    {
        if (spec.Workload.Kind.UsesTables())
            return Math.Min(worker.Concurrency, worker.MaxConnections ?? int.MaxValue);
        if (worker.ConnectionMode == ConnectionMode.Gateway)
            return ForMetadata + Math.Min(worker.Concurrency, worker.MaxConnections ?? RunEstimate.DefaultGatewayConnections);
        var most = worker.MaxConnections is { } perSet ? (long)perSet * sets : long.MaxValue;
        var half = Math.Max(1, (worker.MaxRequestsPerConnection ?? DefaultRequestsEach) / 2);
        return ForMetadata + Math.Min(most, sets + (worker.Concurrency / half));
    }
}
