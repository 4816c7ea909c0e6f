namespace ScaleOut.Tests.Infra;

public sealed partial class TelemetryFieldTests
{
    // These read what the Functions host, the SDK of Application Insights or the workspace records by itself.
    private static readonly string[] OfOthers =
    [
        "alert-queries/app-trouble.kql", "alert-queries/daily-quota.kql", "alert-queries/silent-timer.kql", "workbook/exceptions.kql",
        "workbook/volume.kql",
    ];

    public static TheoryData<string> Files => [.. InfraFiles.Kusto.Except(OfOthers)];

    [Theory, MemberData(nameof(Files))]
    public void Query_Fields_AreThoseThatTheRecordHas(string file)
    {
        var text = InfraFiles.Read(file);
        var record = TelemetryRecords.All[RecordOf(text)];
        Assert.Subset(record.Dimensions.ToHashSet(), FieldsOf(text, "customDimensions"));
        Assert.Subset(record.Measurements.ToHashSet(), FieldsOf(text, "customMeasurements"));
        Assert.NotEmpty(FieldsOf(text, "customDimensions"));
    }

    [Fact]
    public void Records_OfTheCode_AreFound()
    {
        Assert.Equal(
            [
                ApplicationInsightsNames.DependencyType, ApplicationInsightsNames.PartitionInterval,
                ApplicationInsightsNames.RunEnded, ApplicationInsightsNames.WorkerInterval,
            ],
            TelemetryRecords.All.Keys.Order(StringComparer.Ordinal));
        Assert.All(TelemetryRecords.All.Values, record => Assert.Contains("runId", record.Dimensions));
    }

    private static string RecordOf(string text)
    {
        var events = EventName().Matches(text).Select(match => match.Groups["name"].Value).ToArray();
        var types = DependencyType().Matches(text).Select(match => match.Groups["name"].Value).ToArray();
        return Assert.Single(events.Concat(types).Distinct());
    }

    private static HashSet<string> FieldsOf(string text, string bag) =>
        [.. Field().Matches(text).Where(match => match.Groups["bag"].Value == bag).Select(match => match.Groups["field"].Value)];

    [GeneratedRegex(@"\bname == '(?<name>\w+)'")]
    private static partial Regex EventName();

    [GeneratedRegex(@"\btype == '(?<name>[^']+)'")]
    private static partial Regex DependencyType();

    [GeneratedRegex(@"\b(?<bag>customDimensions|customMeasurements)(\.|\[[""'])(?<field>\w+)")]
    private static partial Regex Field();
}
