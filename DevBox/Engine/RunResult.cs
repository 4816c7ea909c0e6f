using ScaleOut.Orchestration;
using ScaleOut.Reports;

namespace ScaleOut.DevBox.Engine;

/// <summary>What came of a run in this process.</summary>
internal sealed record RunResult
{
    public required RunOutcome Outcome { get; init; }

    public required RunReport Report { get; init; }

    /// <summary>The report as JSON, as it lies in the run's folder.</summary>
    public required byte[] ReportJson { get; init; }

    /// <summary>Whether the container could not be prepared, so that nothing was put.</summary>
    public required bool Refused { get; init; }

    /// <summary>Whether the user asked for the stop.</summary>
    public required bool StoppedByUser { get; init; }

    /// <summary>Whether the simulated account ended before the run did.</summary>
    public required bool AccountGone { get; init; }

    /// <summary>Whether nothing is left to do; else resuming the run does it.</summary>
    public required bool Ended { get; init; }

    /// <summary>What differs between the report and the simulated account's books; empty when they agree, null when there are none.</summary>
    public IReadOnlyList<string>? BooksDifferences { get; init; }
}
