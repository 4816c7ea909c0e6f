namespace ScaleOut.Experiments;

/// <summary>What a search found, in a few numbers and one line; its report has the rest.</summary>
public sealed record LimitSummary
{
    public required LimitEnd End { get; init; }

    /// <summary>
    /// The most probable limit, documents per second over all workers, or what was achieved there when clearly less. Without an interval
    /// the highest rate that held; null when none did, and when no limit can be shown.
    /// </summary>
    public double? Rate { get; init; }

    /// <summary>Lower end of the interval, a rate that is asked for; without an interval as <see cref="Rate"/>.</summary>
    public double? Low { get; init; }

    /// <summary>
    /// Upper end of the interval; without one the lowest rate that failed. Null when none did, and when no limit can be shown.
    /// </summary>
    public double? High { get; init; }

    /// <summary>Probability with which the limit lies between the two; 0 without an interval.</summary>
    public required double Probability { get; init; }

    /// <summary>Why no limit can be shown; null unless the search ended so.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitDoubt? Doubt { get; init; }

    /// <summary>What the runs say of their own noise; null if no limit was come near.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitFit? Fit { get; init; }

    /// <summary>What kept the rate from being higher; null when nothing did, or it is not known.</summary>
    public LimitCause? StoppedBy { get; init; }

    /// <summary>All of it in one line.</summary>
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

    /// <summary>All operations that the clients may have in flight wait for their responses.</summary>
    InFlight,

    /// <summary>More attempts end in errors than the condition permits.</summary>
    Errors,

    /// <summary>Another part of the condition.</summary>
    Condition,
}
