namespace ScaleOut.Workers.Hosting;

/// <summary>What came of reading the settings: them, or everything that is wrong with them.</summary>
/// <param name="Settings">Null exactly when there are faults.</param>
/// <param name="Faults">Each begins with the setting's name; none repeats a value that may be a secret.</param>
public sealed record HostSettingsReading(HostSettings? Settings, IReadOnlyList<string> Faults);
