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
    public void From_OneKindOfOperation_HasTheFiguresOfTheRun()
    {
        var numbers = ReportNumbers.From(Report);
        Assert.Equal((numbers["p99"], numbers["throttledShare"]), (numbers["insert.p99"], numbers["insert.throttledShare"]));
        Assert.NotNull(numbers["insert.p99"]);
        Assert.Null(numbers["read.p99"]);
    }

    [Fact]
    public void From_Mix_HasTheFiguresOfEachKind()
    {
        var latency = LatencySummary.From(new LatencyHistogram());
        var report = Report with
        {
            Spec = Report.Spec with { Workload = new() { Kind = WorkloadKind.Mix, Mix = new() { Insert = 1, Read = 3 } } },
            Kinds =
            [
                Kind(WorkloadKind.Insert, latency with { P99 = 7 }, new Counts { Attempts = 10, Throttled = 4, Errors = 1 }),
                Kind(WorkloadKind.Read, latency with { P99 = 2 }, new Counts { Attempts = 30 }),
            ],
        };

        var numbers = ReportNumbers.From(report);
        Assert.Equal((7.0, 0.4, 1.0), (numbers["insert.p99"], numbers["insert.throttledShare"], numbers["insert.errors"]));
        Assert.Equal((2.0, 0.0, 0.0), (numbers["read.p99"], numbers["read.throttledShare"], numbers["read.errors"]));
        Assert.Null(numbers["upsert.p99"]);
    }

    /// <summary>The run's own figures are those of the whole action. Of two reads, the slower one is the kind's figure.</summary>
    [Fact]
    public void From_Action_HasTheFiguresOfTheActionAndOfEachKindOfStep()
    {
        var latency = LatencySummary.From(new LatencyHistogram());
        var report = Report with
        {
            Spec = Report.Spec with { Workload = new() { Action = [WorkloadKind.Read, WorkloadKind.Insert, WorkloadKind.Read] } },
            Kinds =
            [
                Kind(WorkloadKind.Read, latency with { P99 = 2 }, new Counts { Attempts = 10 }),
                Kind(WorkloadKind.Insert, latency with { P99 = 9 }, new Counts { Attempts = 10, Throttled = 5 }),
                Kind(WorkloadKind.Read, latency with { P99 = 3 }, new Counts { Attempts = 10, Throttled = 1, Errors = 4 }),
            ],
        };

        var numbers = ReportNumbers.From(report);
        Assert.Equal((3.0, 0.1, 4.0), (numbers["read.p99"], numbers["read.throttledShare"], numbers["read.errors"]));
        Assert.Equal((9.0, 0.5), (numbers["insert.p99"], numbers["insert.throttledShare"]));
        Assert.Equal(numbers["p99"], numbers["action.p99"]);
        Assert.NotNull(numbers["action.p99"]);
        Assert.Null(numbers["patch.p99"]);
    }

    [Fact]
    public void From_Partitions_HasTheWorstThrottledShare()
    {
        var report = Report with
        {
            Partitions =
                [Partition(attempts: 1_000, throttled: 10), Partition(attempts: 20, throttled: 5), Partition(attempts: 0, throttled: 0)],
        };
        Assert.Equal(0.25, ReportNumbers.From(report)["partition.throttledShare"]);
        Assert.Null(ReportNumbers.From(report with { Partitions = [] })["partition.throttledShare"]);
    }

    [Fact]
    public void From_InvalidFigures_AreNotValid()
    {
        Assert.Equal(1, ReportNumbers.From(Report)["valid"]);
        Assert.Equal(0, ReportNumbers.From(Report with { Invalid = [new("latencies", "The machine was busy.")] })["valid"]);
        Assert.Equal(0, ReportNumbers.From(Report with { TimeErrors = ["Legs overlap."] })["valid"]);
    }

    private static KindReport Kind(WorkloadKind kind, LatencySummary latency, Counts counts) =>
        new() { Kind = kind, Operations = counts.Attempts, Counts = counts, LatencyMs = latency };

    private static PartitionReport Partition(long attempts, long throttled) => new()
    {
        Id = 0, Range = "-", AssumedEven = false, Counts = new Counts { Attempts = attempts, Throttled = throttled },
    };

    [Fact]
    public void From_ErrorsByStatus_AreNumbersToo()
    {
        var requests = Report.Requests with { ErrorsByStatus = new Dictionary<string, long> { ["503/20006"] = 7 } };
        Assert.Equal(7, ReportNumbers.From(Report with { Requests = requests })["requests.errorsByStatus.503/20006"]);
    }
}
