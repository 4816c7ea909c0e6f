using ScaleOut.Specs;

namespace ScaleOut.DevBox.Accounts;

/// <summary>The line that the account's process of a run reads: its physics.</summary>
internal sealed record AccountHello
{
    public required SimulationSpec Simulation { get; init; }

    public required int Seed { get; init; }

    /// <summary>The run's lock file: while a process holds it, the account is in use even when nothing is asked of it.</summary>
    public required string LockFile { get; init; }
}
