using ScaleOut.Tests.Workers.Legs;

namespace ScaleOut.Tests.Workers.Telemetry;

/// <summary>A leg on the real SDK, and all that leaves the machine of it.</summary>
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
        var intervals = ingestion.Records.Where(record => record.Field("name") == ApplicationInsightsNames.WorkerInterval).ToList();
        Assert.Equal(2_500, intervals.Sum(record => record.Measurement("inserted")));
        Assert.Equal(2_500, intervals.Sum(record => record.Histogram.Sum(bucket => bucket.Count)));
        Assert.Equal(output.Counts.RequestUnits, intervals.Sum(record => record.Measurement("requestUnits")), precision: 3);
        Assert.Equal(
            output.Counts.RequestUnits,
            ingestion.Records.Where(record => record.Field("name") == ApplicationInsightsNames.PartitionInterval)
                .Sum(record => record.Measurement("requestUnits")),
            precision: 3);
        Assert.Contains(ingestion.Records, record => record.Type == "RemoteDependencyData");
        Assert.DoesNotContain(account.Key, ingestion.Text, StringComparison.Ordinal);
        Assert.All(ValuesOfDocuments(leg.Assignment), value => Assert.DoesNotContain(value, ingestion.Text, StringComparison.Ordinal));

        var end = reported.Messages[^1];
        Assert.Equal(
            (WorkerActivity.Ended, LegEnd.SliceDone, 2_500, output.Counts.RequestUnits, 900),
            (end.Activity, end.End, end.Counts.Inserted, end.Counts.RequestUnits, end.Before.Counts.Inserted));
        Assert.Equal(reported.Messages.Count, reported.Messages.Select(message => message.Order).Distinct().Count());
        Assert.Equal(end, reported.Messages.MaxBy(message => message.Order));
    }

    /// <summary>Texts of the first and the last document that nothing but a document holds.</summary>
    private static IEnumerable<string> ValuesOfDocuments(WorkerAssignment assignment)
    {
        var documents = DocumentSources.For(assignment);
        var buffer = new byte[documents.MaxBytes];
        foreach (var number in new[] { 0, assignment.Slice.Count - 1 })
        {
            var length = documents.Write(number, documents.KeyOf(number), buffer);
            using var document = JsonDocument.Parse(Encoding.UTF8.GetString(buffer, 0, length));
            foreach (var value in document.RootElement.EnumerateObject()
                .Where(property => property.Value.ValueKind == JsonValueKind.String)
                .Select(property => property.Value.GetString()!))
            {
                if (value.Length >= 8)
                    yield return value;
            }
        }
    }

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
