namespace ScaleOut.Experiments;

/// <summary>The result of a search, in a few figures and one line. The report has the rest.</summary>
public sealed record LimitSummary
{
    public required LimitEnd End { get; init; }

    /// <summary>
    /// The most probable limit, documents per second that are asked of all workers. Without an interval, the highest rate that held. Null
    /// if none held, and if no limit can be shown.
    /// </summary>
    public double? Rate { get; init; }

    /// <summary>Documents per second that are done at that rate. Null unless that is clearly less.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? AchievedPerSecond { get; init; }

    /// <summary>Lower end of the interval, as an asked rate. Without an interval, the same as <see cref="Rate"/>.</summary>
    public double? Low { get; init; }

    /// <summary>
    /// Upper end of the interval. Without an interval, the lowest rate that failed. Null if none failed, and if no limit can be shown.
    /// </summary>
    public double? High { get; init; }

    /// <summary>Probability with which the limit lies between the two; 0 without an interval.</summary>
    public required double Probability { get; init; }

    /// <summary>Why no limit can be shown; null otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitDoubt? Doubt { get; init; }

    /// <summary>The fitted limit and the noise of the runs; null if the rates did not come near a limit.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitFit? Fit { get; init; }

    /// <summary>What kept the rate from being higher; null if nothing did, or if it is not known.</summary>
    public LimitCause? StoppedBy { get; init; }

    /// <summary>The whole summary in one line.</summary>
    public required string Text { get; init; }
}

/// <summary>What keeps a rate from being higher.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<LimitCause>))]
public enum LimitCause
{
    /// <summary>The container's RU/s are used up.</summary>
    RequestUnits,

    /// <summary>One physical partition has used up its own RU/s.</summary>
    Partition,

    /// <summary>A worker has used up its cores.</summary>
    Client,

    /// <summary>A machine's cores are busy: a limit of that machine, not of the account.</summary>
    Machine,

    /// <summary>More attempts are throttled than the condition permits.</summary>
    Throttling,

    /// <summary>The latency is higher than the condition permits.</summary>
    Latency,

    /// <summary>The clients have as many operations in flight as they may have.</summary>
    InFlight,

    /// <summary>More attempts end in errors than the condition permits.</summary>
    Errors,

    /// <summary>Another part of the condition.</summary>
    Condition,
}
