using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>The report of a whole run of single inserts or upserts against the truth: the simulated account's own ledger.</summary>
public sealed class LedgerTests
{
    [Theory]
    [InlineData("insert", "Gateway")]
    [InlineData("insert", "Direct")]
    [InlineData("upsert", "Gateway")]
    public Task Run_EachWorkload_LedgerEqualsReport(string workload, string mode) => LedgerAssert.AssertRunAgreesAsync(workload, mode);

    [Theory]
    [InlineData("Gateway")]
    [InlineData("Direct")]
    public async Task Run_BinaryEncodedDocuments_AreWhatTheSdkSentInText(string mode)
    {
        using var folder = new TemporaryFolder();
        string[] arguments = ["--documents", "300", "--workers", "1", "--mode", mode, "--id", "binary"];
        var environment = new Dictionary<string, string> { ["AZURE_COSMOS_BINARY_ENCODING_ENABLED"] = "True" };
        using var run = await DevBoxProcess.RunAsync(folder.Path, arguments, environment);

        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), "binary");
        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        LedgerAssert.AssertEqual(finished, documents: 300);
    }

    [Fact]
    public async Task Run_ThrottledInsert_LedgerEqualsReport()
    {
        using var folder = new TemporaryFolder();
        // What is in flight at once is charged more than two seconds' budget, so that the slowest machine is throttled.
        string[] load = ["--documents", "500", "--workers", "2", "--concurrency", "100", "--throughput", "400"];
        using var run = await DevBoxProcess.RunAsync(folder.Path, [.. load, "--id", "throttled", "--fail-if", "requests.throttled>0"]);

        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), "throttled");
        Assert.True(run.ExitCode == 3, run.Output + run.Errors);
        Assert.True(finished.Report.Requests.Throttled > 0);
        LedgerAssert.AssertEqual(finished, documents: 500);
    }
}
