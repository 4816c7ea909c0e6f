namespace ScaleOut.Analysis.Reports.Building;

// When the workers were at work, and when the run was interrupted: every duration and window of a report comes from here.
internal sealed partial class MergedRun
{
    /// <summary>Times in which any worker was at work, in order and apart. Empty if the times contradict each other.</summary>
    private readonly IReadOnlyList<TimeRange> _atWork;

    /// <summary>
    /// Times without a leg at work in which the run was resumed, or which are longer than
    /// <see cref="ClockLimits.LongestPauseBetweenLegs"/>, in order. Shorter pauses are part of the run.
    /// </summary>
    public IReadOnlyList<Interruption> Interruptions { get; }

    /// <summary>Time from the first leg's start to the last leg's end, without interruptions; null without legs.</summary>
    public TimeSpan? Makespan => _atWork.Count == 0 ? null : Between(_atWork[0].From, _atWork[^1].To);

    /// <summary>The seconds that the makespan touches.</summary>
    public NumberSet Stretches => NumberSet.From(StretchesInTime().Select(time => time.TouchedSeconds()));

    /// <summary>Time from one instant to another, without interruptions.</summary>
    public TimeSpan Between(DateTimeOffset from, DateTimeOffset to) => Interruptions.Aggregate(to - from, (time, interruption) =>
    {
        var begin = interruption.From > from ? interruption.From : from;
        var end = interruption.To < to ? interruption.To : to;
        return end > begin ? time - (end - begin) : time;
    });

    /// <summary>
    /// Whole seconds in which any worker was at work, without the given time after the first start. All of them if none is left.
    /// </summary>
    private NumberSet AtWork(TimeSpan after)
    {
        if (_atWork.Count == 0)
            return NumberSet.Empty;
        var whole = NumberSet.From(_atWork.Select(time => time.WholeSeconds()));
        var rest = whole.StartingAt(UtcSeconds.Ceiling(_atWork[0].From + after));
        return rest.Count > 0 ? rest : whole;
    }

    /// <param name="legs">Legs of all workers, in any order.</param>
    /// <param name="start">The common start; null when it is not known.</param>
    /// <param name="begun">
    /// When programs began to orchestrate the run: at its start and at each resume. Empty if that was not recorded.
    /// </param>
    private static (IReadOnlyList<TimeRange> AtWork, IReadOnlyList<Interruption> Interruptions) TimesOf(
        IEnumerable<TimeRange> legs, DateTimeOffset? start, IReadOnlyList<DateTimeOffset> begun)
    {
        var (atWork, interruptions) = (new List<TimeRange>(), new List<Interruption>());
        foreach (var leg in legs.OrderBy(leg => leg.From))
        {
            var before = atWork.Count > 0 ? atWork[^1].To : start;
            var pause = before is { } end && leg.From > end ? new TimeRange(end, leg.From) : (TimeRange?)null;
            if (pause is { } free && InterruptionIn(free, isFirst: atWork.Count == 0, begun) is { } interruption)
                interruptions.Add(interruption);
            if (atWork.Count > 0 && pause is null)
                atWork[^1] = atWork[^1] with { To = leg.To > atWork[^1].To ? leg.To : atWork[^1].To };
            else
                atWork.Add(leg);
        }

        return (atWork, interruptions);
    }

    private static Interruption? InterruptionIn(TimeRange pause, bool isFirst, IReadOnlyList<DateTimeOffset> begun)
    {
        var resumed = begun.Skip(1).Where(at => at >= pause.From && at <= pause.To).Select(at => (DateTimeOffset?)at).Max();
        // Workers may be late for the common start without any interruption.
        var isLong = !isFirst && pause.To - pause.From > ClockLimits.LongestPauseBetweenLegs;
        return resumed is not null || isLong ? new Interruption(pause.From, pause.To, resumed) : null;
    }

    private IEnumerable<TimeRange> StretchesInTime()
    {
        if (_atWork.Count == 0)
            yield break;
        var start = _atWork[0].From;
        foreach (var interruption in Interruptions.Where(interruption => interruption.From > start))
        {
            yield return new TimeRange(start, interruption.From);
            start = interruption.To;
        }

        yield return new TimeRange(start, _atWork[^1].To);
    }
}
