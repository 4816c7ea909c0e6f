namespace ScaleOut.Workers.Legs;

/// <summary>
/// The document numbers that a leg works on. They follow from the results of the legs before and after it. If a leg has no result and a
/// later leg has one, the leg is repeated. It then does exactly the documents that the later leg did not take over, so that none counts
/// twice and none is left out.
/// </summary>
internal sealed class LegNumbers
{
    /// <summary>A repetition must process the same documents, so it may take this multiple of the leg's duration.</summary>
    public const int RepetitionFactor = 3;

    private readonly LegInput _leg;
    private readonly LegResult? _after;

    private LegNumbers(LegInput leg, LegResult? before, LegResult? after, IReadOnlyList<DamagedItem> damaged)
    {
        var slice = leg.Assignment.Slice;
        (_leg, _after, Damaged) = (leg, after, damaged);
        // Only the leg just before knows what was tried last, and how far the schedule was.
        Before = before?.Output.Leg == leg.Leg - 1 ? before : null;
        Range = new LegRange(slice, leg.Next, [.. From(before?.DoneAhead ?? [], leg.Next)]);
        (Worked, LeftOut) = after is null ? (slice, Range.DoneBefore) : WithoutThoseOf(after, Range);
    }

    /// <summary>The range that the leg's result will name.</summary>
    public LegRange Range { get; }

    /// <summary>
    /// The numbers that the leg works on: its slice, or, for a repetition, the part up to the last number that the later leg knew of.
    /// </summary>
    public NumberRange Worked { get; }

    /// <summary>Numbers of <see cref="Worked"/>, from <see cref="LegRange.First"/> on, that other legs do.</summary>
    public IReadOnlyList<NumberRange> LeftOut { get; }

    /// <summary>The result of the leg just before; null for the first leg, and if it is missing.</summary>
    public LegResult? Before { get; }

    /// <summary>Damaged results of the worker that were set aside.</summary>
    public IReadOnlyList<DamagedItem> Damaged { get; }

    /// <summary>Whether a later leg has a result already.</summary>
    public bool IsRepetition => _after is not null;

    public LegInput Input => !IsRepetition ? _leg : _leg with
    {
        Assignment = _leg.Assignment with { Slice = Worked, LegDuration = RepetitionFactor * _leg.Assignment.LegDuration },
    };

    /// <summary>The time after which the leg counts as lost. That of a repetition is longer, as its work may be.</summary>
    public TimeSpan Deadline => LegTimes.DeadlineOf(Input.Assignment);

    /// <summary>Reads the results before and after a leg that has no result.</summary>
    /// <exception cref="EvidenceException">The results contradict the leg.</exception>
    public static async Task<LegNumbers> ReadAsync(LegInput leg, RunFiles files, CancellationToken cancellationToken)
    {
        var worker = leg.Assignment.Worker;
        var (before, damagedBefore) = await files.ReadOrSetAsideResultBeforeAsync(worker, leg.Leg, cancellationToken);
        var (after, damagedAfter) = await files.ReadOrSetAsideResultAfterAsync(worker, leg.Leg, cancellationToken);
        LegChain.EnsureAround(leg, before, after);
        return new LegNumbers(leg, before, after, [.. damagedBefore, .. damagedAfter]);
    }

    /// <summary>The result as the later leg took it over; null if the repetition did not come to its end.</summary>
    public LegResult? AsTakenOver(LegResult result) => _after is null ? result : result.Output.Next != Worked.End ? null : result with
    {
        Output = result.Output with { Next = _after.Range.First, End = LegEnd.TimeUp, NothingDue = result.Counts.Done == 0 },
        DoneAhead = _after.Range.DoneBefore,
        Uncertain = [],
        IsRepeated = true,
    };

    /// <summary>
    /// The result that the orchestration gets of a repetition that did not come to its end. If the repetition's time was up, the leg stays
    /// without a result and the worker goes on with the later legs. Otherwise the worker ends as it would without the repetition.
    /// </summary>
    public LegResult AsLost(LegResult result)
    {
        var counts = result.Counts with { Inserted = 0, AlreadyPresent = 0, Failed = 0, Bytes = 0 };
        var output = result.Output with { Counts = counts, Next = _leg.Next };
        return result with
        {
            Output = _after is { } after && output.End is (LegEnd.TimeUp or LegEnd.StepsDone)
                ? output with { Next = after.Range.First, End = LegEnd.TimeUp, NothingDue = true }
                : output,
        };
    }

    /// <summary>The numbers up to the last one that the later leg knew of, without those that were left to that leg.</summary>
    private static (NumberRange Worked, IReadOnlyList<NumberRange> LeftOut) WithoutThoseOf(LegResult after, LegRange range)
    {
        var leftOut = new List<NumberRange>();
        var next = after.Range.First;
        foreach (var done in after.Range.DoneBefore)
        {
            if (done.First > next)
                leftOut.Add(NumberRange.Between(next, done.First));
            next = done.End;
        }

        // Numbers that earlier legs had done ahead are left out, too.
        return (NumberRange.Between(range.Slice.First, next), NumberSet.From([.. leftOut, .. range.DoneBefore]).Ranges);
    }

    private static IEnumerable<NumberRange> From(IEnumerable<NumberRange> ranges, long first) =>
        ranges.Where(range => range.End > first).Select(range => range.First >= first ? range : NumberRange.Between(first, range.End));
}
