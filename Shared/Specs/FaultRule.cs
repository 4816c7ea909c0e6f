namespace ScaleOut.Specs;

/// <summary>
/// One fault of the simulated account. A request that matches every given condition is hit with the given probability, until <see cref="MaxHits"/>.
/// At least one of <see cref="Status"/>, <see cref="DelayMs"/> and <see cref="CloseConnection"/> is given.
/// </summary>
public sealed record FaultRule
{
    /// <summary>Largest <see cref="FromSeconds"/> and <see cref="UntilSeconds"/>.</summary>
    public const double MostSeconds = 1_000_000;

    /// <summary>Which operations; null means every document operation.</summary>
    public FaultOperation? Operation { get; init; }

    /// <summary>Null means both.</summary>
    public ConnectionMode? ConnectionMode { get; init; }

    /// <summary>Ordinal of the physical partition; null means all.</summary>
    public int? Partition { get; init; }

    /// <summary>Seconds since the account's first document operation from which the rule holds, 0 to 1,000,000. Default 0.</summary>
    public double FromSeconds { get; init; }

    /// <summary>Seconds since the account's first document operation until which the rule holds, after <see cref="FromSeconds"/>; null means for ever.</summary>
    public double? UntilSeconds { get; init; }

    /// <summary>Chance of a hit, above 0 to 1. Default 1.</summary>
    public double Probability { get; init; } = 1;

    /// <summary>Hits after which the rule is spent, 1 to 1,000,000,000,000; null means no limit.</summary>
    public long? MaxHits { get; init; }

    /// <summary>HTTP status to answer, 400 to 599, instead of doing the operation.</summary>
    public int? Status { get; init; }

    /// <summary>Sub-status beside <see cref="Status"/>, 0 and more. Null means 0.</summary>
    public int? SubStatus { get; init; }

    /// <summary>Time to wait before anything else is done, above 0 to 600,000 ms.</summary>
    public double? DelayMs { get; init; }

    /// <summary>Whether the connection is closed instead of answering.</summary>
    public bool CloseConnection { get; init; }

    /// <summary>Whether the operation is done before the fault shows: the client cannot know the outcome. Default false.</summary>
    public bool AfterOperation { get; init; }
}
