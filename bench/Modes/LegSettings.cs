using ScaleOut.Specs;

namespace ScaleOut.Bench.Modes;

/// <summary>What a measured leg is run with.</summary>
public sealed record LegSettings(ConnectionMode Mode, WorkloadKind Workload, int InFlight);
