namespace ScaleOut.Measurement;

/// <summary>
/// All that one leg measured. It goes to the run store as a whole; only <see cref="LegOutput"/> goes back to the orchestration.
/// </summary>
public sealed record LegResult
{
    /// <summary>What the orchestration sees of it.</summary>
    public required LegOutput Output { get; init; }

    [JsonIgnore]
    public Counts Counts => Output.Counts;

    /// <summary>The document numbers that the leg was given.</summary>
    public required LegRange Range { get; init; }

    /// <summary>Which attempt at the leg this was, from 1. Earlier attempts without a result are lost legs.</summary>
    public required int Attempt { get; init; }

    /// <summary>When the leg took its first document number, by the <see cref="AnchoredClock"/> of its process and run.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When its last operation ended, by the same clock.</summary>
    public required DateTimeOffset EndedAt { get; init; }

    /// <summary>How the leg's clock stands to others; null if it is not known.</summary>
    public LegClocks? Clocks { get; init; }

    /// <summary>Numbers from <see cref="LegOutput.Next"/> on that are done all the same; the next leg leaves them out.</summary>
    public IReadOnlyList<Slice> DoneAhead { get; init; } = [];

    /// <summary>
    /// Numbers tried with unknown outcome and not finished: for the next leg a conflict on them is an insert of this leg's.
    /// </summary>
    public IReadOnlyList<Slice> Uncertain { get; init; } = [];

    /// <summary>
    /// Requests that the SDK sent for the operations: of queries each page and each query plan, of others one an attempt. Null in bulk,
    /// where they are not seen.
    /// </summary>
    public long? Calls { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public long Operations { get; init; }

    /// <summary>Documents that queries gave back; null for other workloads.</summary>
    public long? Items { get; init; }

    /// <summary>What the 429s said and took; null without any that say when to come again.</summary>
    public ThrottledSample? ThrottledResponses { get; init; }

    /// <summary>
    /// <see cref="Counts.Errors"/> by status (0: no response), such as <c>"503/20006"</c> with its sub-status.
    /// </summary>
    public IReadOnlyDictionary<string, long> OtherErrors { get; init; } = new Dictionary<string, long>();

    /// <summary>RU charged for opening the connections of the client.</summary>
    public double OpeningRequestUnits { get; init; }

    /// <summary>RU charged for the documents that were written before the start.</summary>
    public double PreloadRequestUnits { get; init; }

    /// <summary>From handing an operation to the SDK to its response.</summary>
    public required LatencyHistogram AttemptLatency { get; init; }

    /// <summary>From the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencyHistogram OperationLatency { get; init; }

    /// <summary>
    /// Those of <see cref="AttemptLatency"/> that ended after the leg's warm-up, whether it is left out or not: of a leg that goes on where
    /// another one was it is not. Null without a warm-up.
    /// </summary>
    public LatencyHistogram? WarmAttemptLatency { get; init; }

    /// <summary>The same of <see cref="OperationLatency"/>.</summary>
    public LatencyHistogram? WarmOperationLatency { get; init; }

    /// <summary>In order of time; seconds in which nothing happened are there too.</summary>
    public IReadOnlyList<SecondSample> Seconds { get; init; } = [];

    /// <summary>In order of their ranges.</summary>
    public IReadOnlyList<PartitionSample> Partitions { get; init; } = [];

    public required MachineReport Machine { get; init; }

    /// <summary>First leg only: how long after the common start instant it started; null for later legs.</summary>
    public double? StartLatenessMs { get; init; }

    /// <summary>Open loop: whether the schedule was kept to the end (at most one second behind); null in a closed loop.</summary>
    public bool? KeptSchedule { get; init; }

    /// <summary>
    /// How long the worker's schedule had run when the leg ended, its earlier legs included; null without a rate or steps.
    /// </summary>
    public double? ScheduleSeconds { get; init; }

    /// <summary>By step of the load, in their order; an attempt belongs to the step in which it ended. Empty without steps.</summary>
    public IReadOnlyList<PartSample> Steps { get; init; } = [];

    /// <summary>By <see cref="WorkloadKind"/>, of a mix; empty for other workloads.</summary>
    public IReadOnlyList<PartSample> Kinds { get; init; } = [];

    /// <summary>Whether the leg was run again, after later ones, because its result was damaged.</summary>
    public bool IsRepeated { get; init; }

    /// <summary>First documents that failed, with status and reason, at most ten.</summary>
    public IReadOnlyList<string> Failures { get; init; } = [];

    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>What the 429s of a leg said and took.</summary>
/// <param name="RetryAfterMinMs">Shortest time that one asked to wait.</param>
/// <param name="RetryAfterMaxMs">Longest time that one asked to wait.</param>
/// <param name="Latency">From handing an operation to the SDK to its 429.</param>
public sealed record ThrottledSample(double RetryAfterMinMs, double RetryAfterMaxMs, LatencyHistogram Latency);

/// <summary>
/// The document numbers that a leg is given: those of its worker's slice from a number on, without those that are done already.
/// </summary>
/// <param name="First">Lowest number that was not done when the leg began.</param>
/// <param name="DoneBefore">Numbers from <paramref name="First"/> on that earlier legs had done, ascending and without overlap.</param>
public sealed record LegRange(Slice Slice, long First, IReadOnlyList<Slice> DoneBefore);

/// <summary>What a leg reports of its clock, so that its instants can be checked against those of others.</summary>
public sealed record LegClocks
{
    /// <summary>When the orchestration asked for the leg, by its own clock; null if it does not say.</summary>
    public DateTimeOffset? DispatchedAt { get; init; }

    /// <summary>When the worker learned of the leg, by the leg's clock.</summary>
    public required DateTimeOffset ReceivedAt { get; init; }

    /// <summary>
    /// By how many ms the wall clock was set since the leg's clock was read from it, which was at the first leg of the run in the process.
    /// It changes nothing that was measured.
    /// </summary>
    public required double StepMs { get; init; }

    /// <summary>
    /// First leg only: against the clock of the worker that set the common start; null for later legs, and where the leg did not come to
    /// the start.
    /// </summary>
    public ClockSkew? Skew { get; init; }
}

/// <summary>
/// How far a worker's clock is ahead of the clock of the worker that set the common start, in ms. The start was set after the worker was
/// ready and before it read it, so the difference lies between two bounds. Negative: behind.
/// </summary>
/// <param name="LowMs">At least; null when the start was set before the worker was ready.</param>
/// <param name="HighMs">At most.</param>
public sealed record ClockSkew(double? LowMs, double HighMs)
{
    /// <summary>Of the worker that set the start.</summary>
    public static readonly ClockSkew None = new(0, 0);
}

/// <summary>The time in which one leg was at work.</summary>
/// <param name="Start">When it took its first document number.</param>
/// <param name="End">When its last operation ended.</param>
public readonly record struct WorkSpan(DateTimeOffset Start, DateTimeOffset End);

/// <summary>What holds of every leg's result, whatever the leg met.</summary>
internal static class LegResultRules
{
    /// <summary>What a result says that cannot be; null when it agrees with itself.</summary>
    public static string? ContradictionIn(LegResult result)
    {
        var (output, range) = (result.Output, result.Range);
        var slice = range.Slice;
        if (slice.First < 0 || slice.Count < 0 || range.First < slice.First || range.First > slice.End)
            return FormattableString.Invariant($"it begins at document {range.First}, outside its worker's slice ({Describe(slice)})");
        if (output.Next < range.First || output.Next > slice.End)
        {
            var given = Describe(new Slice(range.First, slice.End - range.First));
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

    /// <summary>How many documents were done between what a leg was given and what it left open.</summary>
    private static long DoneIn(LegResult result) =>
        result.Output.Next - result.Range.First + CountOf(result.DoneAhead) - CountOf(result.Range.DoneBefore);

    private static long CountOf(IReadOnlyList<Slice> ranges) => ranges.Sum(range => range.Count);

    private static bool AreRangesIn(IReadOnlyList<Slice> ranges, long first, long end)
    {
        foreach (var range in ranges)
        {
            if (range.Count < 1 || range.First < first || range.End > end)
                return false;
            first = range.End;
        }

        return true;
    }

    private static string Describe(Slice slice) => FormattableString.Invariant($"documents {slice.First} to {slice.End - 1}");
}

/// <summary>What one leg did in one step of its load, or of one kind of operation.</summary>
public sealed record PartSample
{
    /// <summary>Index of the step from 0, or number of the kind.</summary>
    public required int Part { get; init; }

    public Counts Counts { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public long Operations { get; init; }

    /// <summary>Requests that the SDK sent.</summary>
    public long Calls { get; init; }

    /// <summary>Of the operations.</summary>
    public required LatencyHistogram OperationLatency { get; init; }

    /// <summary>The same part of several legs as one.</summary>
    /// <param name="samples">Of that part; may be empty.</param>
    public static PartSample Merge(int part, IReadOnlyCollection<PartSample> samples) => new()
    {
        Part = part,
        Counts = Counts.Sum(samples.Select(sample => sample.Counts)),
        Operations = samples.Sum(sample => sample.Operations),
        Calls = samples.Sum(sample => sample.Calls),
        OperationLatency = LatencyMerge.Merge(samples.Select(sample => sample.OperationLatency)),
    };
}
