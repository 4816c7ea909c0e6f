namespace ScaleOut.Measurement;

/// <summary>Where a worker ran and what it used there.</summary>
public sealed record MachineReport
{
    /// <summary>Same for all processes of one machine or function instance.</summary>
    public required string InstanceId { get; init; }

    public required int ProcessId { get; init; }

    /// <summary>Cores the process may use.</summary>
    public required int Cores { get; init; }

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

    /// <summary>Most work items seen waiting for a thread-pool thread.</summary>
    public long ThreadPoolQueueMax { get; init; }

    /// <summary>TCP connect to the account, ten times, in ms, ascending; empty when the account could not be reached that way.</summary>
    public IReadOnlyList<double> RoundTripMs { get; init; } = [];
}
