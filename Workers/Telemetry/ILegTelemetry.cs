namespace ScaleOut.Workers.Telemetry;

/// <summary>Takes what is worth telling of legs beyond their results. Nothing that becomes of it disturbs a leg.</summary>
public interface ILegTelemetry
{
    /// <summary>Begins to follow a leg.</summary>
    ILegRecording Begin(LegScope scope);
}
