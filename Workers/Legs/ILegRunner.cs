using ScaleOut.Orchestration;

namespace ScaleOut.Workers.Legs;

/// <summary>Runs legs against one account.</summary>
public interface ILegRunner
{
    /// <summary>Runs a leg to its end and keeps its result. A leg that has a result is not run again: its result comes back.</summary>
    /// <exception cref="LegLostException">It could not begin; the message says why, without secrets.</exception>
    Task<LegOutput> RunAsync(LegInput leg, CancellationToken cancellationToken);
}
