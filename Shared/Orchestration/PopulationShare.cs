namespace ScaleOut.Orchestration;

/// <summary>What one worker put before the start, for a workload that needs documents: kept in the run store, so that it is put once.</summary>
/// <param name="Documents">How many it put or found there.</param>
/// <param name="RequestUnits">What that was charged, as far as the attempt that finished it knows.</param>
public sealed record PopulationShare(long Documents, double RequestUnits);
