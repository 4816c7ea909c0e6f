using ScaleOut.Workers.Measuring;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Telemetry;

/// <summary>The recordings of one leg by all that follow it.</summary>
internal sealed class LegRecordings : IAttemptObserver, IAsyncDisposable
{
    private readonly ILegRecording[] _recordings;

    private LegRecordings(ILegRecording[] recordings) => _recordings = recordings;

    /// <summary>What is shown every attempt; null when there is nothing to show it to.</summary>
    public IAttemptObserver? Observer => _recordings.Length switch { 0 => null, 1 => _recordings[0], _ => this };

    /// <summary>Begins to follow a leg.</summary>
    public static LegRecordings Begin(IEnumerable<ILegTelemetry> telemetry, LegScope scope) => new([.. telemetry.Select(one => one.Begin(scope))]);

    /// <inheritdoc/>
    public void Observe(in AttemptAnswer answer, long startedAt, long endedAt)
    {
        foreach (var recording in _recordings)
            recording.Observe(answer, startedAt, endedAt);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var recording in _recordings)
            await recording.DisposeAsync();
    }
}
