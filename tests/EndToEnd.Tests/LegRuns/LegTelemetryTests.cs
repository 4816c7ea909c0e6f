namespace ScaleOut.Tests.EndToEnd.LegRuns;

/// <summary>What a leg on the real SDK sends to Application Insights and as progress.</summary>
public sealed class LegTelemetryTests : LegsOnAccount
{
    [Fact]
    public async Task Run_Leg_ReportsItsCountsAndNeitherKeyNorDocument()
    {
        await using var account = await StartAsync(partitions: 2);
        await using var ingestion = await Ingestion.StartAsync();
        var connection = account.Connection();
        await CreateContainerAsync(account);
        var leg = Leg(2_500, concurrency: 8) with { Before = new WorkerTotals(new() { Inserted = 900 }, 0) };
        var reported = new Reported();

        LegOutput output;
        await using (var telemetry = new ApplicationInsightsTelemetry(ingestion.ConnectionString, connection.Endpoint))
        await using (var runner = new LegRunner(new MemoryRunStore(), connection, reported, telemetry: [telemetry]))
            output = await runner.RunAsync(leg, Cancellation);

        Assert.Equal((LegEnd.SliceDone, 2_500), (output.End, output.Counts.Inserted));
        List<TelemetryRecord> Named(string name) => [.. ingestion.Records.Where(record => record.Field("name") == name)];
        var intervals = Named(ApplicationInsightsNames.WorkerInterval);
        Assert.Equal(2_500, intervals.Sum(record => record.Measurement("inserted")));
        Assert.Equal(2_500, intervals.Sum(record => record.Histogram.Sum(bucket => bucket.Count)));
        Assert.Equal(output.Counts.RequestUnits.Value, intervals.Sum(record => record.Measurement("requestUnits")), precision: 3);
        var charged = Named(ApplicationInsightsNames.PartitionInterval).Sum(record => record.Measurement("requestUnits"));
        Assert.Equal(output.Counts.RequestUnits.Value, charged, precision: 3);
        Assert.Contains(ingestion.Records, record => record.Type == "RemoteDependencyData");
        Assert.DoesNotContain(account.Key, ingestion.Text, StringComparison.Ordinal);
        Assert.All(ValuesOfDocuments(leg.Assignment), value => Assert.DoesNotContain(value, ingestion.Text, StringComparison.Ordinal));

        var end = reported.Messages[^1];
        Assert.Equal(
            (WorkerState.Ended, LegEnd.SliceDone, 2_500, output.Counts.RequestUnits.Value, 900),
            (end.Activity, end.End, end.Counts.Inserted, end.Counts.RequestUnits.Value, end.Before.Counts.Inserted));
        Assert.Equal(reported.Messages.Count, reported.Messages.Select(message => message.Order).Distinct().Count());
        Assert.Equal(end, reported.Messages.MaxBy(message => message.Order));
    }

    /// <summary>Long texts of the first and the last document, which nothing but a document holds.</summary>
    private static IEnumerable<string> ValuesOfDocuments(WorkerAssignment assignment) =>
        from number in new[] { 0, assignment.Slice.Count - 1 }
        from property in JsonNode.Parse(DocumentSources.For(assignment).Write(number))!.AsObject()
        where property.Value?.GetValueKind() == JsonValueKind.String
        let value = (string)property.Value!
        where value.Length >= 8
        select value;

    private sealed class Reported : IProgressSink
    {
        public List<WorkerProgress> Messages { get; } = [];

        public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken)
        {
            lock (Messages)
                Messages.Add(progress);
            return ValueTask.CompletedTask;
        }
    }
}
