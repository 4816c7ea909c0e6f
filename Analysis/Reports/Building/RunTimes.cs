namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// When the workers of a run were at work, and when it was interrupted. Every duration and window of a report comes from here. An
/// interruption is a time without a leg at work in which the run was resumed, or which is longer than
/// <see cref="ClockLimits.MaxPause"/>; shorter pauses are the run's own and count.
/// </summary>
internal sealed class RunTimes
{
    /// <summary>For a run whose times contradict each other.</summary>
    public static readonly RunTimes None = new([], null, []);

    private readonly List<WorkSpan> _atWork = [];

    /// <param name="legs">Legs of all workers, in any order.</param>
    /// <param name="start">The common start; null when it is not known.</param>
    /// <param name="begun">When programs began to orchestrate the run: the first, and those that resumed it; empty where that is not
    /// noted.</param>
    public RunTimes(IEnumerable<WorkSpan> legs, DateTimeOffset? start, IReadOnlyList<DateTimeOffset> begun)
    {
        var interruptions = new List<Interruption>();
        foreach (var leg in legs.OrderBy(leg => leg.Start))
        {
            var before = _atWork.Count > 0 ? _atWork[^1].End : start;
            var pause = before is { } end && leg.Start > end ? new WorkSpan(end, leg.Start) : (WorkSpan?)null;
            if (pause is { } free && InterruptionIn(free, isFirst: _atWork.Count == 0, begun) is { } interruption)
                interruptions.Add(interruption);
            if (_atWork.Count > 0 && pause is null)
                _atWork[^1] = _atWork[^1] with { End = leg.End > _atWork[^1].End ? leg.End : _atWork[^1].End };
            else
                _atWork.Add(leg);
        }

        Interruptions = interruptions;
        Stretches = SecondSet.From(StretchesOf(interruptions).Select(SecondRange.Around));
    }

    /// <summary>In order of time.</summary>
    public IReadOnlyList<Interruption> Interruptions { get; }

    /// <summary>Time from the first leg's start to the last leg's end, without interruptions; null without legs.</summary>
    public TimeSpan? Makespan => _atWork.Count == 0 ? null : Between(_atWork[0].Start, _atWork[^1].End);

    /// <summary>The seconds that the makespan touches.</summary>
    public SecondSet Stretches { get; }

    /// <summary>Time from one instant to another, without interruptions.</summary>
    public TimeSpan Between(DateTimeOffset from, DateTimeOffset to) => Interruptions.Aggregate(to - from, (time, interruption) =>
    {
        var begin = interruption.From > from ? interruption.From : from;
        var end = interruption.To < to ? interruption.To : to;
        return end > begin ? time - (end - begin) : time;
    });

    /// <summary>
    /// Whole seconds in which any worker was at work. They begin so long after the first start, or at the first start if none is left.
    /// </summary>
    public SecondSet AtWork(TimeSpan after)
    {
        if (_atWork.Count == 0)
            return SecondSet.Empty;
        var whole = SecondSet.From(_atWork.Select(SecondRange.Within));
        var rest = whole.StartingAt(UtcSeconds.Ceiling(_atWork[0].Start + after));
        return rest.Count > 0 ? rest : whole;
    }

    private static Interruption? InterruptionIn(WorkSpan pause, bool isFirst, IReadOnlyList<DateTimeOffset> begun)
    {
        var resumed = begun.Skip(1).Where(at => at >= pause.Start && at <= pause.End).Select(at => (DateTimeOffset?)at).Max();
        // Workers may be late for the common start without any interruption.
        var isLong = !isFirst && pause.End - pause.Start > ClockLimits.MaxPause;
        return resumed is not null || isLong ? new Interruption(pause.Start, pause.End, resumed) : null;
    }

    private IEnumerable<WorkSpan> StretchesOf(List<Interruption> interruptions)
    {
        if (_atWork.Count == 0)
            yield break;
        var start = _atWork[0].Start;
        foreach (var interruption in interruptions.Where(interruption => interruption.From > start))
        {
            yield return new WorkSpan(start, interruption.From);
            start = interruption.To;
        }

        yield return new WorkSpan(start, _atWork[^1].End);
    }
}
