using System.Text.Json;
using ScaleOut.Json;
using ScaleOut.Reports;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.DevBox.EndToEnd;

public class CommandTests
{
    [Fact]
    public async Task Help_Root_HasExamplesAndNoInternalCommand()
    {
        using var folder = new TemporaryFolder();
        using var program = await DevBoxProcess.RunAsync(folder.Path, ["--help"]);

        Assert.Equal(0, program.ExitCode);
        Assert.Contains("DevBox resume nightly", program.Output, StringComparison.Ordinal);
        Assert.Contains("130 stopped", program.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("  worker ", program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Validate_Plan_PrintsTheEstimate()
    {
        using var folder = new TemporaryFolder();
        using var program = await DevBoxProcess.RunAsync(folder.Path, ["validate", "--documents", "100000", "--throughput", "10000", "--id", "mine"]);

        Assert.Equal(0, program.ExitCode);
        Assert.Contains("valid: run mine: 100,000 documents, 4 workers", program.Output, StringComparison.Ordinal);
        Assert.Contains("571,000", program.Output, StringComparison.Ordinal);
        Assert.Contains("at least 57.1", program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_JsonToOutput_NothingElseGoesThere()
    {
        using var folder = new TemporaryFolder();
        using var program = await DevBoxProcess.RunAsync(folder.Path, ["--documents", "1000", "--workers", "1", "--json", "-", "--out", "there"]);

        Assert.True(program.ExitCode == 0, program.Errors);
        var report = JsonSerializer.Deserialize<RunReport>(program.Output, ScaleOutJson.Compact)!;
        Assert.Equal(1_000, report.Documents.Verified);
        Assert.Contains("the account's books agree", program.Errors, StringComparison.Ordinal);
        var run = new FinishedRun(Path.Combine(folder.Path, "there"), report.Id);
        Assert.All(["report.json", "report.html", "report.md", "report.csv", "spec.json", "account.json"], name => Assert.True(run.Has(name), name));
        Assert.False(run.Has("account.key"));
    }

    [Fact]
    public async Task Worker_WithoutAParent_SaysThatItIsInternal()
    {
        using var folder = new TemporaryFolder();
        using var program = await DevBoxProcess.RunAsync(folder.Path, ["worker"]);

        Assert.Equal(0, program.ExitCode);
        Assert.Empty(program.Output);
    }
}
