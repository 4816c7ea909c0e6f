namespace ScaleOut.Analysis.Reports;

/// <summary>
/// What a run measured, merged over its workers. Its JSON names are a contract. RU and rates are rounded to 0.01, latencies to 0.001 ms.
/// </summary>
public sealed record RunReport
{
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; init; }

    public required RunState State { get; init; }

    /// <summary>Whether the numbers come from the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>Whether the run went to an emulator. Then the figures check the code, and say nothing about the service.</summary>
    public bool Emulated { get; init; }

    /// <summary>What the account reports about itself; null for tables, and if the run could not start.</summary>
    public AccountFacts? Account { get; init; }

    /// <summary>When the orchestration first began, before the container was prepared.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When the last worker had ended, before the container was counted.</summary>
    public required DateTimeOffset FinishedAt { get; init; }

    public required RunSpec Spec { get; init; }

    public required ReportedDocuments Documents { get; init; }

    public required ReportedRequests Requests { get; init; }

    /// <summary>
    /// Mean size of the documents that were written, in bytes of UTF-8 and without what a store adds; null if none was written. Of actions
    /// it is the size of all that one wrote.
    /// </summary>
    public double? DocumentBytes { get; init; }

    /// <summary>Retry-after times and latencies of 429s; null if no 429 had a retry-after.</summary>
    public ThrottledReport? ThrottledResponses { get; init; }

    /// <summary>
    /// Legs that were begun and left no result. While it is 0, the account's ledger equals <see cref="ReportedDocuments.Inserted"/>.
    /// </summary>
    public required int LostLegs { get; init; }

    public required ThroughputReport Throughput { get; init; }

    public required RequestUnitReport RequestUnits { get; init; }

    public required LatencyReport LatencyMs { get; init; }

    /// <summary>
    /// What kept the run from being faster, over the overlap window (without one: over the whole run, with a warning); null when no leg
    /// left a result.
    /// </summary>
    public BoundBy? BoundBy { get; init; }

    /// <summary>How near each limit was; null when no leg left a result.</summary>
    public Utilization? Utilization { get; init; }

    /// <summary>
    /// Configured and delivered delays of the simulated account; null for other accounts, and where they were not measured.
    /// </summary>
    public DelayReport? Delays { get; init; }

    /// <summary>
    /// Whether the simulated account had other physical partitions than the service gives: fewer, because it has at most 32 unless a number
    /// is set, or some with more than 10,000 RU/s. Then the run counts for no finding that depends on the layout.
    /// </summary>
    public bool LayoutIsCapped { get; init; }

    /// <summary>Machines or function instances that the workers ran on.</summary>
    public required int DistinctInstances { get; init; }

    /// <summary>
    /// Whether the account kept the indexing mode that was asked for; null for a named container, and where it is not known.
    /// </summary>
    public bool? KeptIndexing { get; init; }

    /// <summary>The run's cost at the host's prices; null without prices, and for the simulated account, which costs nothing.</summary>
    public RunCost? Cost { get; init; }

    /// <summary>
    /// Whether attempts met documents that were there already, as after a lost leg. The RU of those attempts are in the RU per document.
    /// </summary>
    [JsonIgnore]
    public bool RepeatsDocuments => LostLegs > 0 || Documents.AlreadyPresent > 0;

    /// <summary>Every worker of the spec by index, also those without any leg result.</summary>
    public IReadOnlyList<WorkerReport> Workers { get; init; } = [];

    /// <summary>
    /// In order of their ranges. After a split the old range and the new ones are listed, each with its load while it existed.
    /// </summary>
    public IReadOnlyList<PartitionReport> Partitions { get; init; } = [];

    /// <summary>The steps of the load in their order; empty for a run without steps.</summary>
    public IReadOnlyList<StepReport> Steps { get; init; } = [];

    /// <summary>The kinds of operation of a mix, or the steps of an action; empty for other workloads.</summary>
    public IReadOnlyList<KindReport> Kinds { get; init; } = [];

    /// <summary>One entry for each UTC second in which anything happened; seconds without an entry have zeros.</summary>
    public IReadOnlyList<SeriesPoint> Series { get; init; } = [];

    /// <summary>
    /// The seconds from the first start to the last end without interruptions: the time axis of <see cref="Series"/>. Empty if there are
    /// none.
    /// </summary>
    public IReadOnlyList<TimeRange> Stretches { get; init; } = [];

    /// <summary>The overlap window: the seconds in which all workers were at work. Empty if there is none.</summary>
    public IReadOnlyList<TimeRange> Overlap { get; init; } = [];

    /// <summary>Times in which the run was interrupted; they are in no rate, window, bound or chart.</summary>
    public IReadOnlyList<Interruption> Interruptions { get; init; } = [];

    /// <summary>
    /// Contradictions in the run's times, in sentences that name the leg and the instants: legs that overlap, end before they
    /// start, lie outside the run, or were charged more RU than the container gives. Then the run is not complete, and there is no rate,
    /// window, bound or series.
    /// </summary>
    public IReadOnlyList<string> TimeErrors { get; init; } = [];

    /// <summary>Changes of the container's RU/s that the spec asked for, in their order; null if there were none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<AppliedThroughput>? ThroughputChanges { get; init; }

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

    /// <summary>Which figures are not valid, and why; each reason is among <see cref="Warnings"/>.</summary>
    public IReadOnlyList<InvalidFigures> Invalid { get; init; } = [];

    /// <summary>
    /// Why the run counts for no finding although it is complete, as the end of a sentence; null if it counts, and in reports of earlier
    /// versions.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? NotComparable { get; init; }

    /// <summary>
    /// Whether documents were found there, and no leg measured how they are written. Then there is no rate, and nothing bound the run.
    /// </summary>
    [JsonIgnore]
    public bool MeasuredNothing => BoundBy is null && Documents.AlreadyPresent > 0 && Invalid.Count > 0;

    /// <summary>What a reader must know before trusting the numbers, the most important first.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The command or request that started the run, without secrets; null if it was not recorded.</summary>
    public string? StartedBy { get; init; }
}

/// <param name="What">Which, such as <c>latencies</c>.</param>
/// <param name="Why">A sentence.</param>
public sealed record InvalidFigures(string What, string Why)
{
    /// <summary><see cref="What"/> where somebody else changed the throughput.</summary>
    internal const string SharesOfTheBudget = "shares of the budget";
}

/// <summary>What kept a run from being faster; the first in this order that holds.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<BoundBy>))]
public enum BoundBy
{
    /// <summary>
    /// Errors, in at least <see cref="Building.BoundByRule.ErrorSecondsShare"/> of the seconds. What would have bound the run without them
    /// is not judged.
    /// </summary>
    Errors,

    /// <summary>
    /// At least <see cref="Building.BoundByRule.RequestUnitShare"/> of the container's RU/s were used. Or at least
    /// <see cref="Building.BoundByRule.ThrottledShare"/> of all attempts were 429s, and nothing else bound the run.
    /// </summary>
    RequestUnits,

    /// <summary>
    /// One physical partition used at least <see cref="Building.BoundByRule.PartitionShare"/> of its own RU/s in at least
    /// <see cref="Building.BoundByRule.PartitionSecondsShare"/> of the seconds. Or at least
    /// <see cref="Building.BoundByRule.ThrottledShare"/> of all attempts were its 429s, and nothing else bound the run.
    /// </summary>
    Partition,

    /// <summary>A worker's process used at least <see cref="Building.BoundByRule.ClientShare"/> of its cores.</summary>
    Client,

    /// <summary>At least <see cref="Building.BoundByRule.MachineShare"/> of the cores of a machine were busy.</summary>
    Machine,

    /// <summary>
    /// The rate that the spec asks for: an open loop kept its schedule, or the run used the RU/s that the workload permits.
    /// </summary>
    Rate,

    /// <summary>None of the others: the operations in flight waited for their responses.</summary>
    Latency,
}

/// <summary>
/// Documents by outcome. For reads, queries and deletes, operations by outcome. Always <c>inserted + alreadyPresent + failed + remaining =
/// asked</c>.
/// </summary>
public sealed record ReportedDocuments
{
    /// <summary>Documents of the run; for a worker, of its slice.</summary>
    public required long Asked { get; init; }

    /// <summary>Written by legs that left their results. For reads, queries and deletes: operations that such legs did.</summary>
    public required long Inserted { get; init; }

    /// <summary>Documents that existed already, because a lost leg wrote them. For deletes: documents that were gone already.</summary>
    public required long AlreadyPresent { get; init; }

    /// <summary>Documents that ended with a status that is not retried.</summary>
    public required long Failed { get; init; }

    /// <summary>Not finished when the run ended.</summary>
    public required long Remaining { get; init; }

    /// <summary>
    /// Number of documents by which the container's own count rose, or fell for deletes. For a mix, a fall is negative. Null for reads and
    /// queries, for a single worker, and when the container could not be counted.
    /// </summary>
    public long? Verified { get; init; }

    /// <summary>
    /// Documents that the operations of a mix wrote, minus the documents that they deleted. Null for other workloads.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? Rise { get; init; }
}

/// <summary>
/// Attempts: operations handed to the SDK. Every try counts. An attempt is one document of a bulk run, one TransactionalBatch, or one page
/// of a query from one physical partition.
/// </summary>
public sealed record ReportedRequests
{
    public required long Attempts { get; init; }

    /// <summary>Operations that ended without failing: in a batch run its batches, in a query run its queries.</summary>
    public long Operations { get; init; }

    /// <summary>
    /// Requests that the SDK sent for the operations: each page and each query plan of a query, and one per attempt of other operations.
    /// Null in bulk, where requests cannot be counted.
    /// </summary>
    public long? Calls { get; init; }

    /// <summary><see cref="Calls"/> / <see cref="Operations"/>; null if either is not known or nothing was done.</summary>
    public double? CallsPerOperation { get; init; }

    /// <summary>Documents that queries returned; null for other workloads.</summary>
    public long? Items { get; init; }

    /// <summary><see cref="Items"/> / <see cref="Operations"/>; null for other workloads.</summary>
    public double? ItemsPerOperation { get; init; }

    /// <summary>Attempts that got a 429; for tables, those that got 503 (server busy), 500 (operation timed out) or 429.</summary>
    public required long Throttled { get; init; }

    /// <summary><see cref="Throttled"/> / <see cref="Attempts"/>; null without attempts.</summary>
    [JsonIgnore]
    public double? ThrottledShare => Attempts > 0 ? Throttled / (double)Attempts : null;

    /// <summary>429s of the reads that open connections before the start; not in <see cref="Throttled"/>.</summary>
    public long OpeningThrottled { get; init; }

    /// <summary>
    /// 429s of writing the documents that reads, queries and deletes work on, before the start; not in <see cref="Throttled"/>.
    /// </summary>
    public long PreloadThrottled { get; init; }

    /// <summary>
    /// Share of the time of all operations, warm-up included, that they waited after 429s, 0 to 1; null if it was not measured.
    /// </summary>
    public double? ThrottledWaitShare { get; init; }

    /// <summary>Attempts that ended in anything but success, 409 or 429.</summary>
    public required long OtherErrors { get; init; }

    /// <summary><see cref="OtherErrors"/> by status and sub-status, such as <c>"503/20006"</c>; status 0 is no response.</summary>
    public IReadOnlyDictionary<string, long> ErrorsByStatus { get; init; } = new Dictionary<string, long>();
}

/// <summary>Retry-after times and latencies of 429s.</summary>
/// <param name="RetryAfterMinMs">Shortest time that one asked to wait.</param>
/// <param name="RetryAfterMaxMs">Longest time that one asked to wait.</param>
/// <param name="LatencyMs">Latencies from handing an operation to the SDK to its 429.</param>
public sealed record ThrottledReport(double RetryAfterMinMs, double RetryAfterMaxMs, LatencySummary LatencyMs);

/// <summary>RU charged to the workload. The RU of opening connections are listed apart. The RU of the verification are left out.</summary>
public sealed record RequestUnitReport
{
    public required double Total { get; init; }

    /// <summary><see cref="Total"/> / documents inserted, so RU of 409s and failures count; null when none was inserted.</summary>
    public double? PerInsert { get; init; }

    /// <summary><see cref="Total"/> / operations that ended without failing; null when there was none.</summary>
    public double? PerOperation { get; init; }

    /// <summary>
    /// Mean RU/s over the overlap window; without one over the seconds in which any worker was at work, as
    /// <see cref="Utilization.RequestUnits"/>. Null when nothing ran, and for a run with <see cref="RunReport.TimeErrors"/>.
    /// </summary>
    public double? PerSecondMean { get; init; }

    /// <summary>Highest RU charged in one UTC second of the whole run; null when nothing ran.</summary>
    public double? PerSecondPeak { get; init; }

    /// <summary>
    /// Provisioned RU/s of the container (autoscale: the maximum), the mean over the same seconds if the run changed them; null for a
    /// single worker, and where the account does not report it.
    /// </summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>
    /// RU charged for the documents that reads, queries and deletes work on, written before the start; not in <see cref="Total"/>.
    /// </summary>
    public double Preload { get; init; }

    /// <summary>RU that 429s were charged by their headers; not in <see cref="Total"/>.</summary>
    public double Throttled { get; init; }

    /// <summary>RU of the reads that open connections before the start; not in <see cref="Total"/>.</summary>
    public required double Opening { get; init; }
}

/// <summary>Documents inserted per second, counted in two ways. Documents that were already present count in neither.</summary>
public sealed record ThroughputReport
{
    /// <summary>
    /// Inserted / <see cref="MakespanSeconds"/>, as published tables count. Null when nothing ran, and for a run with
    /// <see cref="RunReport.TimeErrors"/>, of which no rate is claimed.
    /// </summary>
    public double? MakespanPerSecond { get; init; }

    /// <summary>
    /// Last end - first start without <see cref="RunReport.Interruptions"/>; for a worker between its own start and end. Null when
    /// <see cref="MakespanPerSecond"/> is null.
    /// </summary>
    public double? MakespanSeconds { get; init; }

    /// <summary>
    /// Inserted per second over the whole UTC seconds in which all workers were at work (<see cref="RunReport.Overlap"/>): past warm-up,
    /// none finished, none between two legs. For a worker its own share of it. Null when there are fewer than 5 such seconds. In an open
    /// loop it excludes the documents of <see cref="CaughtUp"/>.
    /// </summary>
    public double? OverlapPerSecond { get; init; }

    /// <summary>
    /// Documents of an open loop that were inserted in the overlap window but were due before it, in a pause such as a slow start. The
    /// schedule does not have them in that time.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long CaughtUp { get; init; }

    /// <summary>
    /// Rate that the spec asks for, documents per second: of all workers together, or of the one; null if any of them is a closed loop,
    /// and with steps of several rates.
    /// </summary>
    public double? AskedPerSecond { get; init; }

    /// <summary>Seconds that <see cref="OverlapPerSecond"/> rests on.</summary>
    public required int OverlapSeconds { get; init; }

    /// <summary>
    /// Kilobytes (1,000 bytes) of documents written per second at <see cref="Rate"/>: as the run makes them, without what a store adds.
    /// Null if no documents were written, or without a rate.
    /// </summary>
    public double? KilobytesPerSecond { get; init; }

    /// <summary>The rate to go by: the overlap rate, else the makespan rate; null when there is neither.</summary>
    [JsonIgnore]
    public double? Rate => OverlapPerSecond ?? MakespanPerSecond;
}
