using ScaleOut.Orchestration;
using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>The report of a whole run on documents that are there against the account's own ledger.</summary>
public sealed class LedgerOfExistingDocumentsTests
{
    [Theory]
    [InlineData("read", "Direct", "perfTest")]
    [InlineData("delete", "Gateway", "device")]
    public async Task Run_OfDocumentsThatAreThere_LedgerEqualsReport(string workload, string mode, string document)
    {
        using var folder = new TemporaryFolder();
        using var run = await DevBoxProcess.RunAsync(
            folder.Path,
            [
                "--documents", "600", "--workers", "2", "--workload", workload, "--mode", mode,
                "--document", document, "--cores", "1", "--id", workload,
            ]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Contains("the account's ledger agrees", run.Output, StringComparison.Ordinal);
        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), workload);
        var (report, container) = (finished.Report, finished.Container);
        Assert.Equal(RunState.Complete, report.State);
        Assert.Equal(600, report.Documents.Inserted);
        Assert.Equal(600, container.Documents.Created);
        Assert.Equal(container.Operations.Create.RequestUnits, report.RequestUnits.Preload, precision: 1);
        Assert.Equal(workload == "delete" ? 600 : null, report.Documents.Verified);
        Assert.Equal(workload == "delete" ? 600 : 0, container.Documents.Deleted);
        Assert.All(report.Workers, worker => Assert.Equal(1, worker.Machine!.Cores));
        Assert.DoesNotContain(report.Warnings, warning => warning.Contains("client.cores", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Run_QueriesInSteps_ReportsEachStepAndTheLedgerAgrees()
    {
        const string plan =
            """
            {
              "documents": 100000, "workers": 2, "document": { "kind": "device" }, "legDuration": "00:00:01",
              "workload": {
                "kind": "query", "preload": 300,
                "query": {
                  "text": "SELECT * FROM c WHERE c.ownerId = @owner",
                  "parameters": [{ "name": "@owner", "value": "{{field:ownerId}}" }],
                  "maxConcurrency": -1
                },
                "steps": [{ "users": 1, "duration": "00:00:02" }, { "users": 3, "duration": "00:00:02" }]
              },
              "simulation": { "physicalPartitions": 9, "latency": "none" }
            }
            """;
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), plan, TestContext.Current.CancellationToken);
        using var run = await DevBoxProcess.RunAsync(folder.Path, ["run", "plan.json", "--id", "steps"]);

        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Contains("the account's ledger agrees", run.Output, StringComparison.Ordinal);
        var report = new FinishedRun(Path.Combine(folder.Path, "runs"), "steps").Report;
        Assert.Equal(RunState.Complete, report.State);
        Assert.Null(report.Documents.Verified);
        Assert.True(report.Documents.Remaining > 0, "The steps ended the run.");
        // Nine pages of 2.2146 + 0.2 RU, each rounded; and of one document of about 640 bytes 0.5424 RU a kilobyte.
        Assert.InRange(report.RequestUnits.PerOperation!.Value, 9 * 2.41, (9 * 2.41) + 0.5424);
        Assert.InRange(report.Requests.CallsPerOperation!.Value, 9, 10);
        Assert.Equal(1, report.Requests.ItemsPerOperation);
        Assert.Equal([1, 3], report.Steps.Select(step => step.Users!.Value));
        Assert.Equal(report.Requests.Operations, report.Steps.Sum(step => step.Operations));
        Assert.Equal(report.Requests.Attempts, report.Steps.Sum(step => step.Attempts));
        Assert.Equal(report.RequestUnits.Total, report.Steps.Sum(step => step.RequestUnits), precision: 1);
        // How many operations a step has rests on how busy the machine is.
        Assert.True(report.Requests.Operations > 0, "No query completed.");
        Assert.All(report.Steps.Where(step => step.Operations > 0), step => Assert.True(
            step is { PerSecond: > 0, LatencyMs.P99: > 0, CallsPerOperation: > 0, RequestUnitsPerOperation: > 0 }));
    }
}
