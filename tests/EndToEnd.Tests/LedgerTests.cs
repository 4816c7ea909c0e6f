namespace ScaleOut.Tests.EndToEnd;

/// <summary>The report of a run with its processes against the ledger that its account's process left.</summary>
public sealed class LedgerTests : ProgramInFolder
{
    /// <summary>
    /// Gateway opens no more connections than it may, and all of them under load. Direct has one to each partition, and one over HTTPS.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway", """, "maxConnections": 3 """, 3, 3)]
    [InlineData("Direct", "", 5, 100)]
    public async Task Run_EachMode_ReportSaysHowManyConnectionsWereOpen(string mode, string limit, int least, int most)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux says whose a socket is");
        await WriteAsync("spec.json", $$"""
            {
              "id": "connections", "documents": 3000, "workers": 2, "simulation": { "physicalPartitions": 4 },
              "client": { "connectionMode": "{{mode}}", "concurrency": 16 {{limit}} }
            }
            """);
        using var run = await RunAsync("run", "spec.json");

        AssertEnded(run);
        AssertEqual(Finished("connections"), documents: 3_000);
        Assert.All(Finished("connections").Report.Workers, worker => Assert.InRange(worker.Machine!.Connections!.Value, least, most));
        var text = await File.ReadAllTextAsync(In("runs", "connections", "report.md"), Cancellation);
        Assert.Contains("| Connections |", text, StringComparison.Ordinal);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_ConditionThatDoesNotHold_SaysWhatWasJudged()
    {
        using var run = await RunAsync(["--documents", "50", "--workers", "1", "--id", "judged", "--fail-if", "insert.errors>0"]);
        AssertEnded(run);
        Assert.Contains("--fail-if does not hold: insert.errors>0 (insert.errors is 0)", run.Output, StringComparison.Ordinal);
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_BinaryEncodedDocuments_LedgerEqualsReport(string mode)
    {
        string[] arguments = ["--documents", "300", "--workers", "1", "--mode", mode, "--id", "binary"];
        var environment = new Dictionary<string, string> { ["AZURE_COSMOS_BINARY_ENCODING_ENABLED"] = "True" };
        using var run = await RunAsync(arguments, environment);

        AssertEnded(run);
        AssertEqual(Finished("binary"), documents: 300);
    }

    [Fact]
    public async Task Run_ThrottledInsert_LedgerEqualsReport()
    {
        // The operations in flight cost more than the budget of two seconds, so that even the slowest machine is throttled.
        string[] load = ["--documents", "300", "--workers", "2", "--concurrency", "100", "--throughput", "400", "--cores", "1"];
        using var run = await RunAsync([.. load, "--id", "throttled", "--fail-if", "!valid || partition.throttledShare>0"]);

        AssertEnded(run, exitCode: 3);
        Assert.Contains("the account's ledger agrees", run.Output, StringComparison.Ordinal);
        var report = Finished("throttled").Report;
        Assert.Matches(
            @"--fail-if holds: !valid \|\| partition\.throttledShare>0 \(valid is (true|false),\s+partition\.throttledShare is [0-9.]+%\)",
            run.Errors);
        Assert.True(report.Requests.Throttled > 0);
        AssertEqual(Finished("throttled"), documents: 300);
        Assert.All(report.Workers, worker => Assert.Equal(1, worker.Machine!.Cores));
        Assert.DoesNotContain(report.Warnings, warning => warning.Contains("client.cores", StringComparison.Ordinal));
    }

    private static void AssertEqual(FinishedRun run, long documents)
    {
        var report = run.Report;
        LedgerOfWorkloadsTests.AssertEqual(report, run.Container, documents);
        Assert.True(report.Delays is { Responses: > 0, DeliveredMs.P99: > 0 }, "the report says nothing of the delays");
    }
}
