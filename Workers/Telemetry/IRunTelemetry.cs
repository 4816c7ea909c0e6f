using ScaleOut.Reports;

namespace ScaleOut.Workers.Telemetry;

/// <summary>Takes how runs end.</summary>
public interface IRunTelemetry
{
    /// <summary>Tells of a run's end, once.</summary>
    void Ended(RunReport report);
}
