namespace ScaleOut.Bench.Modes;

/// <summary>Settings of a measured leg.</summary>
public sealed record LegSettings(ConnectionMode Mode, WorkloadKind Workload, int InFlight)
{
    /// <summary>Default <see cref="DocumentKind.PerfTest"/>.</summary>
    public DocumentSpec Document { get; init; } = new();
}
