namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// When the workers of a run were at work, and when it was interrupted. Every duration and window of a report comes from here. An
/// interruption is a time without a leg at work in which the run was resumed, or which is longer than
/// <see cref="ClockLimits.LongestPauseBetweenLegs"/>; shorter pauses are part of the run.
/// </summary>
internal sealed class RunTimes
{
    /// <summary>For a run whose times contradict each other.</summary>
    public static readonly RunTimes None = new([], null, []);

    private readonly List<TimeRange> _atWork = [];

    /// <param name="legs">Legs of all workers, in any order.</param>
    /// <param name="start">The common start; null when it is not known.</param>
    /// <param name="begun">
    /// When programs began to orchestrate the run: at its start and at each resume. Empty if that was not recorded.
    /// </param>
    public RunTimes(IEnumerable<TimeRange> legs, DateTimeOffset? start, IReadOnlyList<DateTimeOffset> begun)
    {
        var interruptions = new List<Interruption>();
        foreach (var leg in legs.OrderBy(leg => leg.From))
        {
            var before = _atWork.Count > 0 ? _atWork[^1].To : start;
            var pause = before is { } end && leg.From > end ? new TimeRange(end, leg.From) : (TimeRange?)null;
            if (pause is { } free && InterruptionIn(free, isFirst: _atWork.Count == 0, begun) is { } interruption)
                interruptions.Add(interruption);
            if (_atWork.Count > 0 && pause is null)
                _atWork[^1] = _atWork[^1] with { To = leg.To > _atWork[^1].To ? leg.To : _atWork[^1].To };
            else
                _atWork.Add(leg);
        }

        Interruptions = interruptions;
        Stretches = NumberSet.From(StretchesOf(interruptions).Select(time => time.TouchedSeconds()));
    }

    /// <summary>In order of time.</summary>
    public IReadOnlyList<Interruption> Interruptions { get; }

    /// <summary>Time from the first leg's start to the last leg's end, without interruptions; null without legs.</summary>
    public TimeSpan? Makespan => _atWork.Count == 0 ? null : Between(_atWork[0].From, _atWork[^1].To);

    /// <summary>The seconds that the makespan touches.</summary>
    public NumberSet Stretches { get; }

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
    public NumberSet AtWork(TimeSpan after)
    {
        if (_atWork.Count == 0)
            return NumberSet.Empty;
        var whole = NumberSet.From(_atWork.Select(time => time.WholeSeconds()));
        var rest = whole.StartingAt(UtcSeconds.Ceiling(_atWork[0].From + after));
        return rest.Count > 0 ? rest : whole;
    }

    private static Interruption? InterruptionIn(TimeRange pause, bool isFirst, IReadOnlyList<DateTimeOffset> begun)
    {
        var resumed = begun.Skip(1).Where(at => at >= pause.From && at <= pause.To).Select(at => (DateTimeOffset?)at).Max();
        // Workers may be late for the common start without any interruption.
        var isLong = !isFirst && pause.To - pause.From > ClockLimits.LongestPauseBetweenLegs;
        return resumed is not null || isLong ? new Interruption(pause.From, pause.To, resumed) : null;
    }

    private IEnumerable<TimeRange> StretchesOf(List<Interruption> interruptions)
    {
        if (_atWork.Count == 0)
            yield break;
        var start = _atWork[0].From;
        foreach (var interruption in interruptions.Where(interruption => interruption.From > start))
        {
            yield return new TimeRange(start, interruption.From);
            start = interruption.To;
        }

        yield return new TimeRange(start, _atWork[^1].To);
    }
}
