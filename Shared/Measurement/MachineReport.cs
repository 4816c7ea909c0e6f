namespace ScaleOut.Measurement;

/// <summary>Where a worker ran and what it used there.</summary>
public sealed record MachineReport
{
    /// <summary>Same for all processes of one machine or function instance.</summary>
    public required string InstanceId { get; init; }

    public required int ProcessId { get; init; }

    /// <summary>Cores the process may use.</summary>
    public required int Cores { get; init; }

    /// <summary>All cores of the machine, including those that the process may not use; null if the machine does not report it.</summary>
    public int? MachineCores { get; init; }

    /// <summary>Memory the process may use.</summary>
    public required long MemoryBytes { get; init; }

    public long PeakWorkingSetBytes { get; init; }

    /// <summary>CPU time over (wall time x cores) while at work, 0 to 1.</summary>
    public double CpuShare { get; init; }

    /// <summary>CPU time of the process while at work.</summary>
    public double CpuSeconds { get; init; }

    /// <summary>Garbage collections by generation.</summary>
    public IReadOnlyList<int> Collections { get; init; } = [];

    public double GcPauseMs { get; init; }

    /// <summary>Largest number of work items seen waiting for a thread-pool thread.</summary>
    public long ThreadPoolQueueMax { get; init; }

    /// <summary>Versions of the software; null in reports that earlier versions of the program wrote.</summary>
    public MachineSoftware? Software { get; init; }

    /// <summary>Times of ten TCP connects to the account, in ms, ascending; empty if none succeeded.</summary>
    public IReadOnlyList<double> RoundTripMs { get; init; } = [];

    /// <summary>
    /// Most TCP connections to the account that the process had open at one time while at work, in all its workers. Null where they are not
    /// counted: elsewhere than on Linux, and behind a proxy.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Connections { get; init; }
}

/// <summary>Names and versions of what a worker ran with.</summary>
/// <param name="Program">Such as <c>ScaleOut 1.0.0+45088d5f</c>.</param>
/// <param name="Sdk">The Cosmos SDK, such as <c>Microsoft.Azure.Cosmos 3.54.0</c>.</param>
/// <param name="Runtime">Such as <c>.NET 10.0.1</c>.</param>
/// <param name="OperatingSystem">The operating system and its architecture.</param>
public sealed record MachineSoftware(string Program, string Sdk, string Runtime, string OperatingSystem);

/// <summary>Combines the machine reports of one worker's legs.</summary>
public static class MachineMerge
{
    /// <summary>
    /// Merges the reports into the last leg's, because a worker may move between machines from leg to leg. CPU time, collections and pauses
    /// are summed, peaks are maxima, and the CPU share is over the working time of all legs. Null without legs.
    /// </summary>
    public static MachineReport? Merge(IReadOnlyList<LegResult> legs)
    {
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
            Connections = machines.Max(machine => machine.Connections),
            RoundTripMs = machines.LastOrDefault(machine => machine.RoundTripMs.Count > 0)?.RoundTripMs ?? [],
        };
    }

    /// <summary>Returns null without values.</summary>
    /// <param name="ascending">Values in ascending order.</param>
    public static double? Median(IReadOnlyList<double> ascending)
    {
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
