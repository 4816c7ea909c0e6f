namespace ScaleOut.Sizing;

/// <summary>How many workers a rate needs.</summary>
public sealed record WorkerNeed
{
    /// <summary>1 and more; null when no number of them reaches the rate.</summary>
    public int? Estimate { get; init; }

    /// <summary>Lower end of the 95% interval; null without an interval, and when even this end is beyond any number.</summary>
    public int? Low { get; init; }

    /// <summary>Upper end of the 95% interval; null without an interval, and when no number may be enough.</summary>
    public int? High { get; init; }

    /// <summary>Whether there is an interval: where it has no upper end no number of workers may be enough.</summary>
    public required bool HasInterval { get; init; }

    /// <summary>Why there is no estimate, or no interval; null when there are both.</summary>
    public string? Reason { get; init; }
}
