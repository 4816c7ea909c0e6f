namespace ScaleOut.Simulator.Accounts;

/// <summary>How a <see cref="SimulatedAccount"/> behaves. The defaults are the quickest: no request waits, and none gets a 429.</summary>
public sealed class SimulatedAccountOptions
{
    /// <summary>
    /// RU/s of a container that is created without a throughput: 400 to 10,000,000, in steps of 100. With it, requests beyond a container's
    /// throughput get a 429. Null, the default, means that none does.
    /// </summary>
    public int? Throughput { get; init; }

    /// <summary>How long the account takes for a request. Default: <see cref="SimulatedLatency.None"/>.</summary>
    public SimulatedLatency Latency { get; init; }

    /// <summary>The account's default consistency. Default: Session.</summary>
    public Microsoft.Azure.Cosmos.ConsistencyLevel Consistency { get; init; } = Microsoft.Azure.Cosmos.ConsistencyLevel.Session;

    /// <summary>
    /// Whether the account accepts every token of an identity beside its key, whoever issued it, so that code with a
    /// <c>TokenCredential</c> runs unchanged. No roles are checked. Default false.
    /// </summary>
    public bool AcceptsAnyToken { get; init; }

    /// <summary>
    /// Physical partitions of each container, 1 to 4,096. Null, the default, means as many as the service creates for the container's
    /// throughput.
    /// </summary>
    public int? PhysicalPartitions { get; init; }

    /// <summary>
    /// The folder with the databases, containers and items that the account begins with. <see cref="SimulatedAccount.StopAsync"/> writes
    /// them to it; an account that is only disposed leaves them as they were. It also keeps the account's key and certificate. One account
    /// at a time can have the folder. Null, the default, means no folder.
    /// </summary>
    public string? DataFolder { get; init; }

    /// <summary>Seed of latencies and of the times that 429s name. Default 1.</summary>
    public int Seed { get; init; } = 1;

    /// <exception cref="ArgumentException">Options are not valid; the message names each of them.</exception>
    internal AccountSettings ToSettings()
    {
        var latency = Latency switch
        {
            SimulatedLatency.None => LatencyProfile.None,
            SimulatedLatency.SameRegion => LatencyProfile.SameRegion,
            SimulatedLatency.CrossRegion => LatencyProfile.CrossRegion,
            SimulatedLatency.Recorded => LatencyProfile.Recorded,
            _ => null,
        };
        ConsistencyLevel? consistency = Enum.IsDefined(Consistency) ? Enum.Parse<ConsistencyLevel>($"{Consistency}") : null;
        var settings = new AccountSettings
        {
            Throughput = Throughput ?? ContainerSpec.MinThroughput,
            Throttling = new ThrottlingSpec { IsOff = Throughput is null },
            Latency = latency,
            Consistency = consistency,
            AcceptsAnyToken = AcceptsAnyToken,
            PhysicalPartitions = PhysicalPartitions,
            DataFolder = DataFolder,
            Seed = Seed,
        };
        var errors = settings.Errors().ToList();
        if (latency is null)
            errors.Add($"{nameof(Latency)}: {Latency} is none of {string.Join(", ", Enum.GetNames<SimulatedLatency>())}.");
        if (consistency is null)
            errors.Add($"{nameof(Consistency)}: {Consistency} is none of {string.Join(", ", Enum.GetNames<ConsistencyLevel>())}.");
        return errors.Count == 0 ? settings : throw new ArgumentException(string.Join(Environment.NewLine, errors));
    }
}

/// <summary>How long a <see cref="SimulatedAccount"/> takes for a request.</summary>
public enum SimulatedLatency
{
    /// <summary>As long as its own work takes: less than a millisecond.</summary>
    None,

    /// <summary>Client and account in one region: a round trip of 1.3 ms, a write of 4 ms, a read of 1.5 ms (medians).</summary>
    SameRegion,

    /// <summary>Client on another continent: as <see cref="SameRegion"/>, with a round trip of 80 ms.</summary>
    CrossRegion,

    /// <summary>
    /// As <see cref="SameRegion"/>, with the medians that a hosted account stated for small documents in October 2026: a write of 3.5 ms, a
    /// read of 0.4 ms.
    /// </summary>
    Recorded,
}
