namespace ScaleOut.Tests.Infra;

/// <summary>
/// The records that workers and runs send to Application Insights, by event name or dependency type, with the fields that the code writes.
/// Read from its source: a record is made from the constructor to the call that tracks it.
/// </summary>
internal static partial class TelemetryRecords
{
    public static IReadOnlyDictionary<string, TelemetryRecord> All { get; } = Read();

    private static Dictionary<string, TelemetryRecord> Read()
    {
        var ofLegs = Source("ApplicationInsightsRecording.cs");
        string[] common = [.. CommonDimension().Matches(ofLegs).Select(match => match.Groups["field"].Value)];
        var records = EventsIn(ofLegs, common).Concat(EventsIn(Source("ApplicationInsightsTelemetry.cs"), [])).ToDictionary();
        records[ApplicationInsightsNames.DependencyType] = new TelemetryRecord(common, []);
        return records;
    }

    private static IEnumerable<KeyValuePair<string, TelemetryRecord>> EventsIn(string source, string[] common) => Event().Matches(source)
        .Select(match => KeyValuePair.Create(
            (string)typeof(ApplicationInsightsNames).GetField(match.Groups["name"].Value)!.GetRawConstantValue()!,
            new TelemetryRecord(
                [.. common, .. FieldsIn(match.Value, "Properties")],
                [.. FieldsIn(match.Value, "Metrics")])));

    private static IEnumerable<string> FieldsIn(string code, string bag) =>
        Field().Matches(code).Where(match => match.Groups["bag"].Value == bag).Select(match => match.Groups["field"].Value);

    private static string Source(string file) => File.ReadAllText(Path.Combine(RepositoryFiles.Root, "Workers", "Telemetry", file));

    [GeneratedRegex(@"new EventTelemetry\(ApplicationInsightsNames\.(?<name>\w+)\).*?\bTrack", RegexOptions.Singleline)]
    private static partial Regex Event();

    [GeneratedRegex(@"\.(?<bag>Properties|Metrics)\[""(?<field>\w+)""\] = ")]
    private static partial Regex Field();

    [GeneratedRegex(@"^ +\[""(?<field>\w+)""\] = ", RegexOptions.Multiline)]
    private static partial Regex CommonDimension();
}

internal sealed record TelemetryRecord(IReadOnlyList<string> Dimensions, IReadOnlyList<string> Measurements);
