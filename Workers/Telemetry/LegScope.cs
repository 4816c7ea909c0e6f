using ScaleOut.Orchestration;
using ScaleOut.Storage;
using ScaleOut.Workers.Measuring;

namespace ScaleOut.Workers.Telemetry;

/// <summary>A leg as telemetry sees it.</summary>
public sealed record LegScope
{
    public required LegInput Leg { get; init; }

    public required LegClock Clock { get; init; }

    public required LegMeter Meter { get; init; }

    /// <summary>Know the container's RU/s.</summary>
    public required RunFiles Files { get; init; }
}
