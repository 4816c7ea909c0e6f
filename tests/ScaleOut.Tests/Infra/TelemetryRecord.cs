namespace ScaleOut.Tests.Infra;

/// <summary>The custom dimensions and custom measurements of a record.</summary>
internal sealed record TelemetryRecord(IReadOnlyList<string> Dimensions, IReadOnlyList<string> Measurements);
