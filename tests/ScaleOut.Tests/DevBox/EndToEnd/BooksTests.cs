using ScaleOut.Orchestration;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.DevBox.EndToEnd;

/// <summary>The report of a whole run against the truth: the simulated account's own books.</summary>
public class BooksTests
{
    [Theory]
    [InlineData("insert", "Gateway")]
    [InlineData("insert", "Direct")]
    [InlineData("upsert", "Gateway")]
    [InlineData("bulk", "Gateway")]
    [InlineData("bulk", "Direct")]
    [InlineData("batch", "Direct")]
    public async Task Run_EachWorkload_BooksEqualReport(string workload, string mode)
    {
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(folder.Path, ["--documents", "4000", "--workers", "2", "--workload", workload, "--mode", mode, "--id", workload]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Contains("the account's books agree", run.Output, StringComparison.Ordinal);
        AssertEqual(new FinishedRun(Path.Combine(folder.Path, "runs"), workload), documents: 4_000);
    }

    [Fact]
    public async Task Run_ThrottledInsert_BooksEqualReport()
    {
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(folder.Path, ["--documents", "4000", "--workers", "2", "--throughput", "5000", "--id", "throttled", "--fail-if", "requests.throttled>0"]);

        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), "throttled");
        Assert.True(run.ExitCode == 3, run.Output + run.Errors);
        Assert.True(finished.Report.Requests.Throttled > 0);
        AssertEqual(finished, documents: 4_000);
    }

    [Theory]
    [InlineData("read", "Direct", "perfTest")]
    [InlineData("delete", "Gateway", "device")]
    public async Task Run_OfDocumentsThatAreThere_BooksEqualReport(string workload, string mode, string document)
    {
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(
            folder.Path, ["--documents", "1500", "--workers", "2", "--workload", workload, "--mode", mode, "--document", document, "--cores", "1", "--id", workload]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Contains("the account's books agree", run.Output, StringComparison.Ordinal);
        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), workload);
        var (report, container) = (finished.Report, finished.Container);
        Assert.Equal(RunState.Complete, report.State);
        Assert.Equal(1_500, report.Documents.Inserted);
        Assert.Equal(1_500, container.Documents.Created);
        Assert.Equal(container.Operations.Create.RequestUnits, report.RequestUnits.Population, precision: 1);
        Assert.Equal(workload == "delete" ? 1_500 : null, report.Documents.Verified);
        Assert.Equal(workload == "delete" ? 1_500 : 0, container.Documents.Deleted);
        Assert.All(report.Workers, worker => Assert.Equal(1, worker.Machine!.Cores));
        Assert.DoesNotContain(report.Warnings, warning => warning.Contains("client.cores", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Run_QueriesInSteps_ReportsEachStepAndTheBooksAgree()
    {
        const string plan =
            """
            {
              "documents": 100000, "workers": 2, "document": { "kind": "device" }, "legDuration": "00:00:01",
              "workload": {
                "kind": "query", "population": 300,
                "query": { "text": "SELECT * FROM c WHERE c.ownerId = @owner", "parameters": [{ "name": "@owner", "value": "{{field:ownerId}}" }], "maxConcurrency": -1 },
                "steps": [{ "users": 1, "duration": "00:00:03" }, { "users": 3, "duration": "00:00:03" }]
              },
              "simulation": { "physicalPartitions": 9, "latency": "none" }
            }
            """;
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), plan, TestContext.Current.CancellationToken);
        using var run = await DevBoxProcess.RunAsync(folder.Path, ["run", "plan.json", "--id", "steps"]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Contains("the account's books agree", run.Output, StringComparison.Ordinal);
        var report = new FinishedRun(Path.Combine(folder.Path, "runs"), "steps").Report;
        Assert.Equal(RunState.Complete, report.State);
        Assert.Null(report.Documents.Verified);
        Assert.True(report.Documents.Remaining > 0, "The steps ended the run.");
        Assert.Equal(29, report.RequestUnits.PerOperation);
        Assert.InRange(report.Requests.CallsPerOperation!.Value, 9, 10);
        Assert.Equal(1, report.Requests.ItemsPerOperation);
        Assert.Equal([1, 3], report.Steps.Select(step => step.Users!.Value));
        Assert.Equal(report.Requests.Operations, report.Steps.Sum(step => step.Operations));
        Assert.Equal(report.Requests.Attempts, report.Steps.Sum(step => step.Attempts));
        Assert.Equal(report.RequestUnits.Total, report.Steps.Sum(step => step.RequestUnits), precision: 1);
        // How many operations a step has rests on how busy the machine is.
        Assert.True(report.Requests.Operations > 0, "No query was answered.");
        Assert.All(report.Steps.Where(step => step.Operations > 0), step => Assert.True(step is { PerSecond: > 0, LatencyMs.P99: > 0, CallsPerOperation: > 0, RequestUnitsPerOperation: > 0 }));
    }

    private static void AssertEqual(FinishedRun run, long documents)
    {
        var report = run.Report;
        var container = run.Container;
        var throttled = container.Operations.Create.Throttled + container.Operations.Upsert.Throttled + container.Operations.Batch.Throttled;
        var requestUnits = container.Operations.Create.RequestUnits + container.Operations.Upsert.RequestUnits + container.Operations.Batch.RequestUnits;

        Assert.Equal(RunState.Complete, report.State);
        Assert.True(report.Simulated);
        Assert.Equal(documents, report.Documents.Verified);
        Assert.Equal(documents, container.Documents.Created + container.Documents.UpsertedNew);
        Assert.Equal(documents, report.Documents.Inserted);
        Assert.Equal(throttled, report.Requests.Throttled);
        Assert.InRange(report.RequestUnits.Total, requestUnits * 0.999, requestUnits * 1.001);
        Assert.Equal(0, report.LostLegs);
    }
}
