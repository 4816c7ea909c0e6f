namespace ScaleOut.Workers.Telemetry;

/// <summary>Receives the telemetry of legs and runs. An error in it does not disturb a leg.</summary>
public interface IRunTelemetry
{
    /// <summary>
    /// Begins to follow a leg by its meter (<see cref="LegMeter.Observer"/>), until the recording is disposed. Disposal reports the last
    /// interval without waiting.
    /// </summary>
    IAsyncDisposable Begin(LegScope scope);

    /// <summary>Reports that a run has its report. A run that is resumed after that is reported again.</summary>
    /// <param name="outcome">With its totals.</param>
    /// <param name="instanceId">Instance id of the orchestration that ran it. Each attempt at a run has one of its own.</param>
    /// <param name="experimentId">The experiment that the run is of; null for none.</param>
    void Ended(RunOutcome outcome, string instanceId, string? experimentId = null);

    /// <summary>Reports a run whose orchestration ended without a report, once.</summary>
    void Lost(string runId);
}

/// <summary>The data of a leg that telemetry uses.</summary>
public sealed record LegScope
{
    public required LegInput Leg { get; init; }

    public required LegClock Clock { get; init; }

    public required LegMeter Meter { get; init; }

    /// <summary>The run's items, which contain the container's RU/s.</summary>
    public required RunFiles Files { get; init; }
}

internal sealed class LegRecordings(IEnumerable<IRunTelemetry> telemetry, LegScope scope) : IAsyncDisposable
{
    private readonly List<IAsyncDisposable> _recordings = [.. telemetry.Select(one => one.Begin(scope))];

    public async ValueTask DisposeAsync()
    {
        foreach (var recording in _recordings)
            await recording.DisposeAsync();
    }
}
