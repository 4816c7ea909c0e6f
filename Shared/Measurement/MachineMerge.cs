namespace ScaleOut.Measurement;

/// <summary>Puts the machine reports of one worker's legs together.</summary>
public static class MachineMerge
{
    /// <summary>
    /// The last leg's machine with CPU time, collections and pauses of all legs summed, peaks as their maximum and the CPU share over all legs' time at work;
    /// null without legs. A worker may move between machines from leg to leg.
    /// </summary>
    public static MachineReport? Merge(IReadOnlyList<LegResult> legs)
    {
        ArgumentNullException.ThrowIfNull(legs);
        if (legs.Count == 0)
            return null;

        var machines = legs.Select(leg => leg.Machine).ToList();
        var coreSeconds = legs.Sum(leg => (leg.EndedAt - leg.StartedAt).TotalSeconds * leg.Machine.Cores);
        return machines[^1] with
        {
            PeakWorkingSetBytes = machines.Max(machine => machine.PeakWorkingSetBytes),
            CpuSeconds = machines.Sum(machine => machine.CpuSeconds),
            CpuShare = coreSeconds > 0 ? Math.Round(machines.Sum(machine => machine.CpuSeconds) / coreSeconds, 4) : machines[^1].CpuShare,
            Collections = AddUp(machines),
            GcPauseMs = machines.Sum(machine => machine.GcPauseMs),
            ThreadPoolQueueMax = machines.Max(machine => machine.ThreadPoolQueueMax),
            RoundTripMs = machines.LastOrDefault(machine => machine.RoundTripMs.Count > 0)?.RoundTripMs ?? [],
        };
    }

    /// <summary>The middle of ascending values; null without any.</summary>
    public static double? Median(IReadOnlyList<double> ascending)
    {
        ArgumentNullException.ThrowIfNull(ascending);
        var middle = ascending.Count / 2;
        return ascending.Count switch
        {
            0 => null,
            var count when count % 2 == 1 => ascending[middle],
            _ => (ascending[middle - 1] + ascending[middle]) / 2,
        };
    }

    private static IReadOnlyList<int> AddUp(IReadOnlyList<MachineReport> machines) =>
        [.. Enumerable.Range(0, machines.Max(machine => machine.Collections.Count)).Select(generation =>
            machines.Sum(machine => generation < machine.Collections.Count ? machine.Collections[generation] : 0))];
}
