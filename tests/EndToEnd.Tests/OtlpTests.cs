using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>What an OpenTelemetry collector gets of a run, compared with the run's report and with the account's ledger.</summary>
public sealed class OtlpTests : ProgramInFolder
{
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_Otlp_CollectorHasTheFiguresOfTheReport(string mode)
    {
        await using var collector = await OtlpCollector.StartAsync();
        // The operations in flight cost more than the budget of two seconds, so that some are throttled.
        using var run = await RunAsync(
            "run", "--documents", "300", "--workers", "2", "--concurrency", "100", "--throughput", "400", "--mode", mode, "--id", "otlp",
            "--otlp", $"{collector.Address}");

        AssertEnded(run);
        var report = Finished("otlp").Report;
        LedgerOfWorkloadsTests.AssertEqual(report, Finished("otlp").Container, documents: 300);
        Assert.Equal(300, collector.Sum("scaleout.documents", "outcome=inserted"));
        Assert.Equal(report.Requests.Attempts, collector.Sum("scaleout.attempts"));
        Assert.Equal(report.Requests.Throttled, collector.Sum("scaleout.attempts", "outcome=Throttled"));
        Assert.Equal(report.Requests.Throttled, collector.Sum("scaleout.partition.throttled"));
        Assert.Equal(report.Requests.Attempts, collector.Sum("scaleout.attempt.duration"));
        Assert.Equal(report.Requests.Operations, collector.Sum("scaleout.operation.duration"));
        Assert.Equal(report.RequestUnits.Total, collector.Sum("scaleout.request_units"), tolerance: 0.01);
        Assert.Equal(report.RequestUnits.Total, collector.Sum("scaleout.partition.request_units"), tolerance: 0.01);
        Assert.Equal(report.Workers[1].Documents.Inserted, collector.Sum("scaleout.documents", "worker=1"));
        Assert.True(collector.Sum("scaleout.cpu", $"connection.mode={mode};run.id=otlp") > 0);
        Assert.Contains("scaleout.in_flight", collector.Names);
        var traceId = RunOperation.IdOf("otlp");
        Assert.Equal(["leg", "leg", "run"], collector.Spans.Where(span => span.TraceId == traceId).Select(span => span.Name).Order());
    }

    [Theory]
    [InlineData("127.0.0.1:4317", "--otlp: '127.0.0.1:4317' is not an address such as http://127.0.0.1:4317.")]
    [InlineData("http://127.0.0.1:1", "--otlp: no collector listens at http://127.0.0.1:1/: ")]
    public async Task Run_OtlpThatIsNoCollector_IsRejectedBeforeTheRun(string address, string error)
    {
        using var run = await RunAsync("run", "--documents", "10", "--workers", "1", "--otlp", address);
        AssertRejected(ResponseOf(run), error);
        Assert.False(Directory.Exists(Runs));
    }
}
