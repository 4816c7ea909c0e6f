namespace ScaleOut.Analysis.Reports;

/// <summary>Machines of one kind that workers ran on, as they were when something was measured.</summary>
/// <param name="Count">Number of machines of this kind.</param>
/// <param name="Cores">Cores of one machine.</param>
/// <param name="MemoryBytes">Memory that a process may use on one machine, in bytes.</param>
/// <param name="Software">Versions of the program, the SDK and .NET. Null in reports of earlier versions.</param>
public sealed record MachineKind(int Count, int Cores, long MemoryBytes, MachineSoftware? Software)
{
    /// <summary>The kinds of the machines that a run's workers ran on.</summary>
    public static IReadOnlyList<MachineKind> From(RunReport report) =>
    [
        .. report.Workers.Select(worker => worker.Machine).OfType<MachineReport>().DistinctBy(machine => machine.InstanceId)
            .GroupBy(machine => (Cores: machine.MachineCores ?? machine.Cores, machine.MemoryBytes, machine.Software))
            .Select(group => new MachineKind(group.Count(), group.Key.Cores, group.Key.MemoryBytes, group.Key.Software)),
    ];

    /// <summary>The kinds of several runs, each with the largest number of machines that one run used.</summary>
    public static IReadOnlyList<MachineKind> Merge(IEnumerable<MachineKind> kinds) =>
        [.. kinds.GroupBy(kind => kind with { Count = 0 }).Select(group => group.MaxBy(kind => kind.Count)!)];

    /// <summary>Rows of a table that say who started the run, with which programs and on which machines.</summary>
    public static IEnumerable<(string Name, string? Value)> RowsOf(string? startedBy, IReadOnlyList<MachineKind> kinds)
    {
        yield return ("Started by", startedBy);
        foreach (var software in kinds.Select(kind => kind.Software).OfType<MachineSoftware>().Distinct())
            yield return ("Programs", $"{software.Program}, {software.Sdk}, {software.Runtime}");
        foreach (var kind in kinds)
            yield return (kind.Count == 1 ? "Machine" : $"{Numbers.Count(kind.Count)} machines, each", kind.Text);
    }

    private string Text => $"{Words.Amount(Cores, "core")}, {Numbers.Memory(MemoryBytes)}"
        + (Software is { } known ? $", {known.OperatingSystem}" : "");
}
