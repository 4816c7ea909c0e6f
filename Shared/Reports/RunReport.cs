using System.Text.Json.Serialization;
using ScaleOut.Costs;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Reports;

/// <summary>
/// What a run measured, merged over its workers. Its JSON names are a contract. RU and rates are rounded to 0.01, latencies to 0.001 ms.
/// </summary>
public sealed record RunReport
{
    /// <summary>Run id.</summary>
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; init; }

    public required RunState State { get; init; }

    /// <summary>Whether the numbers come from the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>When the orchestration first began, before the container was prepared.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When the last worker had ended, before the container was counted.</summary>
    public required DateTimeOffset FinishedAt { get; init; }

    public required RunSpec Spec { get; init; }

    public required DocumentBooks Documents { get; init; }

    public required RequestBooks Requests { get; init; }

    /// <summary>Legs that were begun and left no result. While it is 0, the account's ledger equals <see cref="DocumentBooks.Inserted"/>.</summary>
    public required int LostLegs { get; init; }

    public required ThroughputReport Throughput { get; init; }

    public required RequestUnitReport RequestUnits { get; init; }

    public required LatencyReport LatencyMs { get; init; }

    /// <summary>What kept the run from being faster, over the overlap window (without one: over the whole run, with a warning); null when no leg left a result.</summary>
    public BoundBy? BoundBy { get; init; }

    /// <summary>How near each limit was; null when no leg left a result.</summary>
    public Utilization? Utilization { get; init; }

    /// <summary>Machines or function instances that the workers ran on.</summary>
    public required int DistinctInstances { get; init; }

    /// <summary>Whether the account kept the indexing mode that was asked for; null for a named container, and where it is not known.</summary>
    public bool? KeptIndexing { get; init; }

    /// <summary>What it cost at the host's prices; null without prices, and for the simulated account, which costs nothing.</summary>
    public RunCost? Cost { get; init; }

    /// <summary>By index; every worker of the spec, also those without any leg result.</summary>
    public IReadOnlyList<WorkerReport> Workers { get; init; } = [];

    /// <summary>In order of their ranges. After a split the old range and the new ones are listed, each with what went to it while it was there.</summary>
    public IReadOnlyList<PartitionReport> Partitions { get; init; } = [];

    /// <summary>The steps of the load in their order; empty for a run without steps.</summary>
    public IReadOnlyList<StepReport> Steps { get; init; } = [];

    /// <summary>One entry for each UTC second in which anything happened; seconds without an entry have zeros.</summary>
    public IReadOnlyList<SeriesPoint> Series { get; init; } = [];

    /// <summary>
    /// The seconds from the first start to the last end without interruptions: the time axis of <see cref="Series"/>. Empty without one.
    /// </summary>
    public IReadOnlyList<TimeStretch> Stretches { get; init; } = [];

    /// <summary>The overlap window: the seconds in which all workers were at work. Empty as <see cref="Stretches"/> are.</summary>
    public IReadOnlyList<TimeStretch> Overlap { get; init; } = [];

    /// <summary>Times in which the run was interrupted; they are in no rate, window, bound or chart.</summary>
    public IReadOnlyList<Interruption> Interruptions { get; init; } = [];

    /// <summary>
    /// What contradicts itself in the run's times, in sentences that name the leg and the instants: legs that overlap, end before they
    /// start, lie outside the run, or were charged more RU than the container gives. Then the run is not complete, and there is no rate,
    /// window, bound or series.
    /// </summary>
    public IReadOnlyList<string> TimeErrors { get; init; } = [];

    /// <summary>Whether no leg left a result, so that there is nothing measured to show.</summary>
    [JsonIgnore]
    public bool IsEmpty => BoundBy is null && Requests.Attempts == 0;

    /// <summary>
    /// Legs whose results are missing because they were damaged, with what that means for the figures, as sentences; empty otherwise. No
    /// such run is complete.
    /// </summary>
    public IReadOnlyList<string> MissingLegs { get; init; } = [];

    /// <summary>First documents that failed, with status and reason, at most ten.</summary>
    public IReadOnlyList<string> Failures { get; init; } = [];

    /// <summary>What a reader must know before trusting the numbers, the weightiest first.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];
}
