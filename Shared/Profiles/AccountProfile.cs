namespace ScaleOut.Profiles;

/// <summary>
/// The physics of an account as they were measured: what operations cost, how long they take, how the account throttles and how many
/// physical partitions it gives. What was not measured is null, or missing in a list, and <see cref="Notes"/> says why.
/// </summary>
public sealed record AccountProfile
{
    /// <summary>What reports call it: the account's name and the day.</summary>
    public required string Name { get; init; }

    /// <summary>When it was measured, in UTC.</summary>
    public required DateTimeOffset MeasuredAt { get; init; }

    /// <summary>Host of the account's endpoint.</summary>
    public required string Account { get; init; }

    /// <summary>The account's region as it names it; null if it does not.</summary>
    public string? Region { get; init; }

    /// <summary>The account's consistency.</summary>
    public string? Consistency { get; init; }

    /// <summary>Version of the Cosmos SDK; null if the reports do not have it.</summary>
    public string? SdkVersion { get; init; }

    /// <summary>Id of the experiment that it was made from.</summary>
    public required string Experiment { get; init; }

    /// <summary>RU that measuring it was charged.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>What operations cost.</summary>
    public required ChargeFigures Charges { get; init; }

    /// <summary>How long operations take.</summary>
    public required LatencyFigures Latency { get; init; }

    /// <summary>How the account throttles.</summary>
    public required ThrottlingFigures Throttling { get; init; }

    /// <summary>Physical partitions of new containers, by ascending throughput.</summary>
    public required IReadOnlyList<LayoutFigure> Layout { get; init; }

    /// <summary>What was not measured, and what limits the figures.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>Charges in RU. Those by size are of documents with no index entries.</summary>
public sealed record ChargeFigures
{
    /// <summary>Point reads, by ascending size.</summary>
    public IReadOnlyList<SizeFigure> Reads { get; init; } = [];

    /// <summary>Creates, by ascending size.</summary>
    public IReadOnlyList<SizeFigure> Writes { get; init; } = [];

    /// <summary>For each index entry that a write adds.</summary>
    public MeasuredFigure? PerIndexedTerm { get; init; }

    /// <summary>Operations that no figure is made from, and what the figures predict for them.</summary>
    public IReadOnlyList<ChargeCheck> Checks { get; init; } = [];
}

/// <summary>The charge of a document of some size.</summary>
/// <param name="Bytes">The document's JSON in UTF-8.</param>
public sealed record SizeFigure(long Bytes, MeasuredFigure RequestUnits);

/// <summary>A measured charge beside the one that the other figures predict.</summary>
/// <param name="Name">What was charged, in a few words.</param>
/// <param name="Measured">In RU.</param>
/// <param name="Predicted">In RU.</param>
public sealed record ChargeCheck(string Name, double Measured, double Predicted);

/// <summary>Times in ms. What the client and its SDK take of a request is a part of the round trip.</summary>
public sealed record LatencyFigures
{
    /// <summary>Network round trip in Direct.</summary>
    public MeasuredFigure? RoundTripMs { get; init; }

    /// <summary>What Gateway takes longer than Direct.</summary>
    public MeasuredFigure? GatewayHopMs { get; init; }

    /// <summary>Service time of creates of one small document on a partition that is idle.</summary>
    public ServiceFigures? Write { get; init; }

    /// <summary>Service time of point reads of one small document on a partition that is idle.</summary>
    public ServiceFigures? Read { get; init; }

    /// <summary>Service time of each KB beyond the first.</summary>
    public MeasuredFigure? PerKilobyteMs { get; init; }

    /// <summary>Service time of each operation of a TransactionalBatch beyond the first.</summary>
    public MeasuredFigure? PerBatchOperationMs { get; init; }
}

/// <summary>The distribution of a service time.</summary>
public sealed record ServiceFigures
{
    public required MeasuredFigure MedianMs { get; init; }

    /// <summary>By ascending probability, as far as there are enough samples for an interval.</summary>
    public IReadOnlyList<QuantileFigure> Quantiles { get; init; } = [];
}

/// <summary>A quantile of a service time.</summary>
/// <param name="Probability">Above 0, below 1.</param>
public sealed record QuantileFigure(double Probability, MeasuredFigure Ms);

/// <summary>What the account does with more than its budget.</summary>
public sealed record ThrottlingFigures
{
    /// <summary>Shortest <c>retry-after</c>.</summary>
    public MeasuredFigure? RetryAfterMinMs { get; init; }

    /// <summary>Longest <c>retry-after</c>.</summary>
    public MeasuredFigure? RetryAfterMaxMs { get; init; }

    /// <summary>RU that one partition admits in a second of too much load once its burst credit is spent.</summary>
    public MeasuredFigure? AdmittedPerSecond { get; init; }

    /// <summary>
    /// RU beyond <see cref="AdmittedPerSecond"/> that one partition admits after <see cref="IdleSeconds"/> without load.
    /// </summary>
    public MeasuredFigure? BurstRequestUnits { get; init; }

    public double IdleSeconds { get; init; }
}

/// <summary>Physical partitions of a new container.</summary>
/// <param name="Throughput">Its RU/s.</param>
public sealed record LayoutFigure(int Throughput, int Partitions);
