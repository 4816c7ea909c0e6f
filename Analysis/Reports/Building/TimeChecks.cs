namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Finds contradictions in the times of a run. Legs are timed by a monotonic clock, which each process sets once by the wall clock, so only
/// that setting can be wrong. Each leg's times are compared with those of the worker's other legs, which do not overlap, and with the
/// orchestration, which asks for a leg before it begins and learns of it after it ended. They are also compared with the common start, the
/// leg's stopwatch and its own samples. No rate is computed from times that contradict each other.
/// </summary>
internal static class TimeChecks
{
    /// <summary>
    /// Number of seconds by which samples may lie outside their leg: the second in which its clock was set, and that of its last sample.
    /// </summary>
    private const int SampleSeconds = 2;

    /// <summary>All contradictions, in sentences that name the leg and the instants; empty if there are none.</summary>
    /// <param name="startedAt">When the run first began.</param>
    public static IReadOnlyList<string> From(RunEnding ending, RunLegs runLegs, DateTimeOffset startedAt)
    {
        var run = new TimeRange(startedAt, ending.FinishedAt);
        var legs = runLegs.Results.OrderBy(leg => leg.Output.Worker).ThenBy(leg => leg.Output.Leg).ToList();
        // A repeated leg comes after later ones.
        var ordered = legs.Where(leg => !leg.IsRepeated).ToList();
        return
        [
            .. OfRun(run, runLegs),
            .. legs.SelectMany(leg => OfLength(leg, ending.Spec.LegDuration)),
            .. legs.SelectMany(leg => OfRun(leg, run)),
            .. legs.SelectMany(OfSamples),
            .. legs.SelectMany(leg => OfStart(leg, runLegs.Start)),
            .. ordered.Zip(ordered.Skip(1), OfOrder).SelectMany(errors => errors),
        ];
    }

    private static IEnumerable<string> OfRun(TimeRange run, RunLegs legs)
    {
        if (run.From - run.To > ClockLimits.Skew)
            yield return $"the run ended at {At(run.To)}, before it began at {At(run.From)}, by the orchestration's clock.";
        else if (legs.Start is { } start && legs.Results.Count > 0 && !IsWithin(start.At, run))
            yield return $"the common start was set to {At(start.At)}, but the run lasted from {At(run.From)} to {At(run.To)}.";
    }

    private static IEnumerable<string> OfLength(LegResult leg, TimeSpan legDuration)
    {
        var lasted = leg.EndedAt - leg.StartedAt;
        var byStopwatch = leg.Output.Seconds;
        if (lasted < TimeSpan.Zero)
            yield return $"{Name(leg)} ended at {At(leg.EndedAt)}, before it started at {At(leg.StartedAt)}.";
        else if (lasted > legDuration + ClockLimits.LegOverrun)
            yield return $"{Name(leg)} lasted {Span(lasted)}, {FromTo(leg)}, but a leg ends after {Span(legDuration)}.";
        else if (byStopwatch > 0 && Math.Abs(lasted.TotalSeconds - byStopwatch) > ClockLimits.SameClock.TotalSeconds)
            yield return $"{Name(leg)} lasted {Ms(byStopwatch * 1_000)} by its stopwatch, but {Span(lasted)} {FromTo(leg)}.";
    }

    private static IEnumerable<string> OfRun(LegResult leg, TimeRange run)
    {
        if (run.From - leg.StartedAt is var early && early > ClockLimits.Skew)
            yield return $"{Name(leg)} started at {At(leg.StartedAt)}, {Span(early)} before the run began at {At(run.From)}.";
        if (leg.EndedAt - run.To is var late && late > ClockLimits.Skew)
            yield return $"{Name(leg)} ended at {At(leg.EndedAt)}, {Span(late)} after the run had ended at {At(run.To)}.";
        if (leg.Clocks is not { } clocks)
            yield break;
        if (clocks.ReceivedAt - leg.StartedAt > ClockLimits.SameClock)
            yield return $"{Name(leg)} started at {At(leg.StartedAt)}, before its worker learned of it at {At(clocks.ReceivedAt)}.";
        if (clocks.DispatchedAt is { } asked && asked - clocks.ReceivedAt is var before && before > ClockLimits.Skew)
        {
            yield return $"{Name(leg)} began at {At(clocks.ReceivedAt)} by its worker's clock, {Span(before)} before the orchestration "
                + $"asked for it at {At(asked)}.";
        }
    }

    private static IEnumerable<string> OfSamples(LegResult leg)
    {
        var seconds = leg.Seconds.Select(sample => sample.Second).ToList();
        if (leg.PartitionSeconds is { } charged)
            seconds.AddRange([charged.First, charged.End - 1]);
        var (first, last) = (UtcSeconds.Floor(leg.StartedAt) - SampleSeconds, UtcSeconds.Floor(leg.EndedAt) + SampleSeconds);
        if (seconds.Count > 0 && (seconds.Min() < first || seconds.Max() > last))
        {
            yield return $"{Name(leg)} lasted {FromTo(leg)}, but has figures of the seconds {At(UtcSeconds.At(seconds.Min()))} to "
                + $"{At(UtcSeconds.At(seconds.Max()))}.";
        }
    }

    private static IEnumerable<string> OfStart(LegResult leg, StartInstant? start)
    {
        if (start is not null && leg.StartLatenessMs is { } lateness)
        {
            var late = leg.StartedAt - start.At;
            if (Math.Abs(late.TotalMilliseconds - lateness) > 2 * ClockLimits.SameClock.TotalMilliseconds)
            {
                var order = late < TimeSpan.Zero ? "before" : "after";
                yield return $"{Name(leg)} started at {At(leg.StartedAt)}, {Span(late.Duration())} {order} the common start of "
                    + $"{At(start.At)}, but its worker saw itself start {Ms(lateness)} after it.";
            }
        }

        if (start is null && leg.StartLatenessMs is { } after)
            yield return $"{Name(leg)} saw itself start {Ms(after)} after the common start, but start.json, which says when that was, is "
                + "missing.";

        var clock = $"the clock of worker {Numbers.Count(leg.Output.Worker)} is at least";
        if (leg.Clocks?.Skew is { LowMs: { } low } && low > ClockLimits.Skew.TotalMilliseconds)
            yield return $"{clock} {Ms(low)} ahead of the clock by which the common start was set.";
        else if (leg.Clocks?.Skew is { HighMs: var high } && high < -ClockLimits.Skew.TotalMilliseconds)
            yield return $"{clock} {Ms(-high)} behind the clock by which the common start was set.";
    }

    /// <summary>
    /// Checks that a worker does one leg at a time, and that the orchestration asks for a leg when the one before has ended.
    /// </summary>
    private static IEnumerable<string> OfOrder(LegResult before, LegResult leg)
    {
        if (before.Output.Worker != leg.Output.Worker)
            yield break;
        var tolerance = before.Machine.InstanceId == leg.Machine.InstanceId ? ClockLimits.SameClock : ClockLimits.Skew;
        if (before.EndedAt - leg.StartedAt is var both && both > tolerance)
        {
            yield return $"{Name(leg)} started at {At(leg.StartedAt)}, {Span(both)} before leg {before.Output.Leg} of that worker ended at "
                + $"{At(before.EndedAt)}.";
        }
        else if (leg.Clocks?.DispatchedAt is { } asked && before.EndedAt - asked is var late && late > ClockLimits.Skew)
        {
            yield return $"{Name(before)} ended at {At(before.EndedAt)} by its worker's clock, {Span(late)} after the orchestration, which "
                + $"knew its result, asked for leg {leg.Output.Leg} at {At(asked)}.";
        }
    }

    private static bool IsWithin(DateTimeOffset instant, TimeRange run) =>
        run.From - instant <= ClockLimits.Skew && instant - run.To <= ClockLimits.Skew;

    private static string Name(LegResult leg) =>
        $"leg {leg.Output.Leg} of worker {leg.Output.Worker}";

    private static string FromTo(LegResult leg) => $"from {At(leg.StartedAt)} to {At(leg.EndedAt)}";

    private static string At(DateTimeOffset instant) => Numbers.Instant(instant);

    private static string Span(TimeSpan span) => Numbers.Duration(span);

    private static string Ms(double milliseconds) => Span(TimeSpan.FromMilliseconds(milliseconds));
}
