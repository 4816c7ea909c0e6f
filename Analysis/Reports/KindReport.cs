namespace ScaleOut.Analysis.Reports;

/// <summary>What the operations of one kind of a mix did, or those of one step of an action, over all workers of a run.</summary>
public sealed record KindReport
{
    public required WorkloadKind Kind { get; init; }

    /// <summary>Ordinal of the step of an action, from 1; null for the kinds of a mix.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Step { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public required long Operations { get; init; }

    /// <summary>Operations per second over the makespan; null without one.</summary>
    public double? PerSecond { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>Latencies of operations in the whole run, with the waits after 429s.</summary>
    public required LatencySummary LatencyMs { get; init; }

    /// <summary>RU / operation; null without operations.</summary>
    public double? RequestUnitsPerOperation { get; init; }

    /// <summary>Adds up the kinds or steps of all legs, in the order of their numbers.</summary>
    internal static IReadOnlyList<KindReport> From(WorkloadSpec workload, IReadOnlyList<LegResult> legs, TimeSpan? makespan) =>
    [
        .. from sample in legs.SelectMany(leg => leg.Kinds)
           group sample by sample.Part into kind
           orderby kind.Key
           let all = PartSample.Merge(kind.Key, [.. kind])
           select new KindReport
           {
               Kind = workload.KindOf(kind.Key),
               Step = workload.Action is null ? null : kind.Key + 1,
               Operations = all.Operations,
               PerSecond = makespan is { TotalSeconds: > 0 and var seconds } ? Rounding.Ratio(all.Operations, seconds) : null,
               Counts = all.Counts.Rounded(),
               LatencyMs = LatencySummary.From(all.OperationLatency),
               RequestUnitsPerOperation = Rounding.Ratio(all.Counts.RequestUnits.Value, all.Operations),
           },
    ];
}
