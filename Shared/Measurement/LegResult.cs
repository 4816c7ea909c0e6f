namespace ScaleOut.Measurement;

/// <summary>
/// Everything that one leg measured. The leg writes it to the run store, and returns only the <see cref="LegOutput"/> to the orchestration.
/// </summary>
public sealed record LegResult
{
    public required LegOutput Output { get; init; }

    [JsonIgnore]
    public Counts Counts => Output.Counts;

    /// <summary>The document numbers that the leg was given.</summary>
    public required LegRange Range { get; init; }

    /// <summary>Ordinal of this attempt at the leg, from 1. Earlier attempts left no result and are lost legs.</summary>
    public required int Attempt { get; init; }

    /// <summary>When the leg took its first document number, by the <see cref="AnchoredClock"/> of its process and run.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When its last operation ended, by the same clock.</summary>
    public required DateTimeOffset EndedAt { get; init; }

    /// <summary>How the leg's clock compares with others; null if unknown.</summary>
    public LegClocks? Clocks { get; init; }

    /// <summary>Document numbers above <see cref="LegOutput.Next"/> that are done already. The next leg skips them.</summary>
    public IReadOnlyList<NumberRange> DoneAhead { get; init; } = [];

    /// <summary>
    /// Document numbers that were tried with an unknown outcome and are not finished. If the next leg gets a conflict on one of them, this
    /// leg had inserted the document.
    /// </summary>
    public IReadOnlyList<NumberRange> Uncertain { get; init; } = [];

    /// <summary>
    /// By how many documents the steps that were done of actions that the leg did not finish changed the container's count. The next leg
    /// does these actions again and finds what they wrote, so that only what a worker's last leg left is beside the counts.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long UnfinishedRise { get; init; }

    /// <summary>
    /// Requests that the SDK sent for the operations. For queries, each page and each query plan; for other operations, one for each
    /// attempt. Null in bulk mode, where the SDK does not show them.
    /// </summary>
    public long? Calls { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public long Operations { get; init; }

    /// <summary>Documents that queries returned; null for other workloads.</summary>
    public long? Items { get; init; }

    /// <summary>Waiting times and latencies of the 429s; null if no 429 had a <c>retry-after</c>.</summary>
    public ThrottledSample? ThrottledResponses { get; init; }

    /// <summary>
    /// Total time that the operations of <see cref="OperationLatency"/> waited after 429s. Null in results without it.
    /// </summary>
    public double? ThrottledWaitMs { get; init; }

    /// <summary>
    /// <see cref="Counts.Errors"/> by status and sub-status, such as <c>"503/20006"</c>. The status is 0 if there was no response.
    /// </summary>
    public IReadOnlyDictionary<string, long> OtherErrors { get; init; } = new Dictionary<string, long>();

    /// <summary>RU charged for opening the connections of the client.</summary>
    public RequestUnits OpeningRequestUnits { get; init; }

    /// <summary>429s of opening the connections of the client; not in <see cref="Counts"/>.</summary>
    public long OpeningThrottled { get; init; }

    /// <summary>RU charged for the documents that were written before the start.</summary>
    public RequestUnits PreloadRequestUnits { get; init; }

    /// <summary>429s of the documents that were written before the start; not in <see cref="Counts"/>.</summary>
    public long PreloadThrottled { get; init; }

    /// <summary>Times from passing an operation to the SDK until its response.</summary>
    public required LatencyHistogram AttemptLatency { get; init; }

    /// <summary>Times from the first attempt (open loop: from the intended start) to the operation's end, waits included.</summary>
    public required LatencyHistogram OperationLatency { get; init; }

    /// <summary>
    /// The part of <see cref="AttemptLatency"/> whose attempts ended after the leg's warm-up. Null without a warm-up. It is recorded for
    /// every leg, although a leg that continues another one needs no warm-up.
    /// </summary>
    public LatencyHistogram? WarmAttemptLatency { get; init; }

    /// <summary>The same for <see cref="OperationLatency"/>.</summary>
    public LatencyHistogram? WarmOperationLatency { get; init; }

    /// <summary>Samples by ascending second. Seconds in which nothing happened are included.</summary>
    public IReadOnlyList<SecondSample> Seconds { get; init; } = [];

    /// <summary>In order of their ranges.</summary>
    public IReadOnlyList<PartitionSample> Partitions { get; init; } = [];

    /// <summary>The seconds that <see cref="Partitions"/> have figures of; null if they have none.</summary>
    [JsonIgnore]
    public NumberRange? PartitionSeconds
    {
        get
        {
            var charged = Partitions.Where(partition => partition.RequestUnitsPerSecond.Count > 0).ToList();
            return charged.Count == 0 ? _partitionSeconds : NumberRange.Between(
                charged.Min(partition => partition.FirstSecond),
                charged.Max(partition => partition.FirstSecond + partition.RequestUnitsPerSecond.Count));
        }
        private init => _partitionSeconds = value;
    }

    public required MachineReport Machine { get; init; }

    /// <summary>How long after the common start the leg started. Only for the first leg; null for later ones.</summary>
    public double? StartLatenessMs { get; init; }

    /// <summary>Whether an open loop kept its schedule to the end, at most one second behind. Null for a closed loop.</summary>
    public bool? KeptSchedule { get; init; }

    /// <summary>
    /// How long the worker's schedule had run when the leg ended, earlier legs included. Null without a rate or steps.
    /// </summary>
    public double? ScheduleSeconds { get; init; }

    /// <summary>Samples by step of the load. An attempt belongs to the step in which it ended. Empty without steps.</summary>
    public IReadOnlyList<PartSample> Steps { get; init; } = [];

    /// <summary>Samples by <see cref="WorkloadKind"/> for a mix, and by step for an action; empty for other workloads.</summary>
    public IReadOnlyList<PartSample> Kinds { get; init; } = [];

    /// <summary>Whether the leg was run again, after later ones, because its result was damaged.</summary>
    public bool IsRepeated { get; init; }

    /// <summary>The first ten documents that failed, with status and reason.</summary>
    public IReadOnlyList<string> Failures { get; init; } = [];

    public IReadOnlyList<string> Warnings { get; init; } = [];

    private readonly NumberRange? _partitionSeconds;

    /// <summary>
    /// The result without its partitions and the latencies of its seconds, which are most of its memory: for a thousand partitions, a
    /// million figures in a quarter of an hour.
    /// </summary>
    public LegResult WithoutMergedFigures() => this with
    {
        Partitions = [],
        PartitionSeconds = PartitionSeconds,
        Seconds = [.. Seconds.Select(sample => sample with { Latency = null })],
    };
}

/// <summary>Waiting times and latencies of a leg's 429s.</summary>
/// <param name="RetryAfterMinMs">Shortest <c>retry-after</c>.</param>
/// <param name="RetryAfterMaxMs">Longest <c>retry-after</c>.</param>
/// <param name="Latency">Times from passing an operation to the SDK until its 429.</param>
public sealed record ThrottledSample(double RetryAfterMinMs, double RetryAfterMaxMs, LatencyHistogram Latency);

/// <summary>
/// The document numbers that a leg is given: the rest of its worker's slice, without the numbers that are done already.
/// </summary>
/// <param name="First">Lowest number that was not done when the leg began.</param>
/// <param name="DoneBefore">Numbers above <paramref name="First"/> that earlier legs finished, ascending and without overlap.</param>
public sealed record LegRange(NumberRange Slice, long First, IReadOnlyList<NumberRange> DoneBefore);

/// <summary>Readings of a leg's clock, so that its instants can be checked against those of others.</summary>
public sealed record LegClocks
{
    /// <summary>When the orchestration scheduled the leg, by the orchestration's clock; null if unknown.</summary>
    public DateTimeOffset? DispatchedAt { get; init; }

    /// <summary>When the worker received the leg, by the leg's clock.</summary>
    public required DateTimeOffset ReceivedAt { get; init; }

    /// <summary>
    /// By how many ms the wall clock was set since the leg's clock was read from it. The process reads it at its first leg of the run. A
    /// step does not affect what was measured.
    /// </summary>
    public required double StepMs { get; init; }

    /// <summary>
    /// Difference from the clock of the worker that set the common start. Only for the first leg. Null for later legs, and if the leg
    /// ended before the start.
    /// </summary>
    public ClockSkew? Skew { get; init; }
}

/// <summary>
/// How far a worker's clock is ahead of the clock of the worker that set the common start, in ms; negative if it is behind. The start was
/// set after this worker was ready and before it read the start, so the difference lies between two bounds.
/// </summary>
/// <param name="LowMs">Lower bound; null if the start was set before the worker was ready.</param>
/// <param name="HighMs">Upper bound.</param>
public sealed record ClockSkew(double? LowMs, double HighMs)
{
    /// <summary>The skew of the worker that set the start.</summary>
    public static readonly ClockSkew None = new(0, 0);
}

/// <summary>The invariants of every leg's result.</summary>
internal static class LegResultRules
{
    /// <summary>Finds a contradiction in a result; null if there is none.</summary>
    public static string? ContradictionIn(LegResult result)
    {
        var (output, range) = (result.Output, result.Range);
        var slice = range.Slice;
        if (slice.First < 0 || slice.Count < 0 || range.First < slice.First || range.First > slice.End)
            return FormattableString.Invariant($"it begins at document {range.First}, outside its worker's slice ({Describe(slice)})");
        if (output.Next < range.First || output.Next > slice.End)
        {
            var given = Describe(new NumberRange(range.First, slice.End - range.First));
            return FormattableString.Invariant($"its next document is {output.Next}, outside what it was given ({given})");
        }

        if (!AreRangesIn(range.DoneBefore, range.First, slice.End) || !AreRangesIn(result.DoneAhead, output.Next, slice.End))
            return "its ranges of documents that were done ahead overlap, or lie outside its slice";
        if (output.Counts.Inserted < 0 || output.Counts.AlreadyPresent < 0 || output.Counts.Failed < 0 || result.Attempt < 1)
            return "it has a count below zero";
        var done = DoneIn(result);
        return done == output.Counts.Done
            ? null
            : FormattableString.Invariant($"it counts {output.Counts.Done} documents as done, but its ranges are those of {done}");
    }

    /// <summary>Number of documents that the leg finished, by its ranges.</summary>
    private static long DoneIn(LegResult result) =>
        result.Output.Next - result.Range.First + CountOf(result.DoneAhead) - CountOf(result.Range.DoneBefore);

    private static long CountOf(IReadOnlyList<NumberRange> ranges) => ranges.Sum(range => range.Count);

    private static bool AreRangesIn(IReadOnlyList<NumberRange> ranges, long first, long end)
    {
        foreach (var range in ranges)
        {
            if (range.Count < 1 || range.First < first || range.End > end)
                return false;
            first = range.End;
        }

        return true;
    }

    private static string Describe(NumberRange slice) => FormattableString.Invariant($"documents {slice.First} to {slice.End - 1}");
}

/// <summary>What one leg did in one step of its load, of one kind of operation, or of one step of an action.</summary>
public sealed record PartSample
{
    /// <summary>Index of the step of the load or of the action, from 0, or the number of the <see cref="WorkloadKind"/>.</summary>
    public required int Part { get; init; }

    public Counts Counts { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public long Operations { get; init; }

    /// <summary>Requests that the SDK sent.</summary>
    public long Calls { get; init; }

    public required LatencyHistogram OperationLatency { get; init; }

    /// <param name="samples">Samples of that part; may be empty.</param>
    public static PartSample Merge(int part, IReadOnlyCollection<PartSample> samples) => new()
    {
        Part = part,
        Counts = Counts.Sum(samples.Select(sample => sample.Counts)),
        Operations = samples.Sum(sample => sample.Operations),
        Calls = samples.Sum(sample => sample.Calls),
        OperationLatency = LatencyMerge.Merge(samples.Select(sample => sample.OperationLatency)),
    };
}
