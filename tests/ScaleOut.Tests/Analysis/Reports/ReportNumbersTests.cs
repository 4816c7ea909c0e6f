namespace ScaleOut.Tests.Analysis.Reports;

public sealed class ReportNumbersTests
{
    private static readonly RunReport Report = new RunSample
    {
        Seconds = 20, ThrottledShare = 0.3, Spec = new() { Id = "test", Documents = 4_000 },
    }.Build();

    [Fact]
    public void From_Report_NamesNumbersByTheirPath()
    {
        var numbers = ReportNumbers.From(Report);
        Assert.Equal(4_000, numbers["documents.inserted"]);
        Assert.Equal(Report.Throughput.OverlapPerSecond, numbers["throughput.overlapPerSecond"]);
        Assert.Equal(Report.LatencyMs.Operation.P99, numbers["latencyMs.operation.p99"]);
        Assert.Equal((4, 0), (numbers["spec.workers"], numbers["lostLegs"]));
        Assert.Equal(Report.Requests.Throttled / (double)Report.Requests.Attempts, numbers[ReportNumbers.ThrottledShare]);
    }

    [Fact]
    public void From_Report_LeavesOutTextsFlagsAndArrays()
    {
        var numbers = ReportNumbers.From(Report);
        Assert.DoesNotContain(numbers.Keys, name => name is "id" or "simulated" or "state");
        Assert.DoesNotContain(numbers.Keys, name => name.Split('.', '[')[0] is "workers" or "series");
    }

    [Fact]
    public void From_NothingMeasured_KeepsTheNamesWithoutValues()
    {
        var numbers = ReportNumbers.From(RunReportBuilder.Build(new RunSample().Ending(), new([], 0)));
        Assert.All(
            ["throughput.overlapPerSecond", "latencyMs.attempt.p50", ReportNumbers.ThrottledShare], name => Assert.Null(numbers[name]));
    }

    [Fact]
    public void From_ErrorsByStatus_AreNumbersToo()
    {
        var requests = Report.Requests with { ErrorsByStatus = new Dictionary<string, long> { ["503/20006"] = 7 } };
        Assert.Equal(7, ReportNumbers.From(Report with { Requests = requests })["requests.errorsByStatus.503/20006"]);
    }
}
