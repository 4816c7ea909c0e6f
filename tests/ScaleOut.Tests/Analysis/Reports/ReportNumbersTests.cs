namespace ScaleOut.Tests.Analysis.Reports;

public sealed class ReportNumbersTests
{
    private static readonly RunReport Report = new RunSample
    {
        Seconds = 20,
        ThrottledShare = 0.3,
        Spec = new() { Id = "test", Documents = 4_000 },
    }.Build();

    [Fact]
    public void From_Report_NamesNumbersByTheirPath()
    {
        var numbers = ReportNumbers.From(Report);

        Assert.Equal(4_000, numbers["documents.inserted"]);
        Assert.Equal(Report.Throughput.OverlapPerSecond, numbers["throughput.overlapPerSecond"]);
        Assert.Equal(Report.LatencyMs.Operation.P99, numbers["latencyMs.operation.p99"]);
        Assert.Equal(4, numbers["spec.workers"]);
        Assert.Equal(0, numbers["lostLegs"]);
        Assert.Equal(Report.Requests.Throttled / (double)Report.Requests.Attempts, numbers[ReportNumbers.ThrottledShare]);
    }

    [Fact]
    public void From_Report_LeavesOutTextsFlagsAndArrays()
    {
        var numbers = ReportNumbers.From(Report);

        Assert.DoesNotContain("id", numbers.Keys);
        Assert.DoesNotContain("simulated", numbers.Keys);
        Assert.DoesNotContain("state", numbers.Keys);
        Assert.DoesNotContain(
            numbers.Keys,
            name => name.StartsWith("workers", StringComparison.Ordinal) || name.StartsWith("series", StringComparison.Ordinal));
    }

    [Fact]
    public void From_NothingMeasured_KeepsTheNamesWithoutValues()
    {
        var numbers = ReportNumbers.From(RunReportBuilder.Build(new RunSample().Ending(), new([], 0)));

        Assert.Null(numbers["throughput.overlapPerSecond"]);
        Assert.Null(numbers["latencyMs.attempt.p50"]);
        Assert.Null(numbers[ReportNumbers.ThrottledShare]);
    }

    [Fact]
    public void From_ErrorsByStatus_AreNumbersToo()
    {
        var report = Report with
        {
            Requests = Report.Requests with { ErrorsByStatus = new Dictionary<string, long> { ["503/20006"] = 7 } },
        };

        Assert.Equal(7, ReportNumbers.From(report)["requests.errorsByStatus.503/20006"]);
    }
}
