namespace ScaleOut.DevBox.Display;

/// <summary>What came of a run in this process.</summary>
internal sealed record RunResult
{
    public required RunOutcome Outcome { get; init; }

    public required RunReport Report { get; init; }

    /// <summary>Whether the container could not be prepared, so that nothing was written.</summary>
    public required bool Rejected { get; init; }

    /// <summary>Whether the user asked for the stop.</summary>
    public required bool StoppedByUser { get; init; }

    /// <summary>Whether the simulated account ended before the run did.</summary>
    public required bool AccountGone { get; init; }

    /// <summary>Whether nothing is left to do; else resuming the run does it.</summary>
    public required bool Ended { get; init; }

    /// <summary>The report held against the simulated account's ledger; null when there is none.</summary>
    public LedgerComparison? Ledger { get; init; }
}
