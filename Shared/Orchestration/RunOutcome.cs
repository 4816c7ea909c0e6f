using System.Text.Json.Serialization;

namespace ScaleOut.Orchestration;

/// <summary>A run's end in a few words and numbers; the report has the rest.</summary>
public sealed record RunOutcome
{
    /// <summary>Most <see cref="WorkersToRepeat"/>.</summary>
    public const int MaxWorkersToRepeat = 50;

    public required string RunId { get; init; }

    public required RunState State { get; init; }

    public required DocumentCounts Documents { get; init; }

    public required long Remaining { get; init; }

    /// <summary>By how many documents the container's own count rose; null when it could not be counted.</summary>
    public long? Verified { get; init; }

    /// <summary>Its figures; null when it has no report.</summary>
    public RunTotals? Totals { get; init; }

    /// <summary>
    /// Workers of whose legs some have no result that can be used, at most <see cref="MaxWorkersToRepeat"/>; set only in place of a report,
    /// so that those legs are run again before it (<see cref="RunEnding.MayRepeat"/>).
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<int>? WorkersToRepeat { get; init; }

    /// <summary>Why it could not start or go on, at most ten; empty otherwise.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];
}
