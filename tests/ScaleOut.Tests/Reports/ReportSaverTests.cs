using System.Text;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Reports.Writers;
using ScaleOut.Storage;
using ScaleOut.Tests.Storage;

namespace ScaleOut.Tests.Reports;

public sealed class ReportSaverTests
{
    private readonly MemoryRunStore _store = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Save_Run_WritesEveryFormOfTheSameReport()
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        var files = await FillAsync(sample);
        var outcome = await ReportSaver.SaveAsync(_store, sample.Ending(), Cancellation);

        Assert.Equal((RunState.Complete, 4_000, 0, 4_000L), (outcome.State, outcome.Documents.Inserted, outcome.Remaining, outcome.Verified));
        Assert.Empty(outcome.Reasons);
        Assert.Equivalent(new RunEnded(outcome, sample.Ending().FinishedAt), await files.ReadEndedAsync(Cancellation), strict: true);
        Assert.Equal(4, ReportWriters.All.Count);
        foreach (var writer in ReportWriters.All)
            Assert.Equal(Encoding.UTF8.GetString(writer.Write(sample.Build())), Encoding.UTF8.GetString((await files.ReadReportAsync(writer.FileName, Cancellation))!));
    }

    [Fact]
    public async Task Save_Refused_GivesTheReasons()
    {
        var outcome = await ReportSaver.SaveAsync(_store, new RunSample().Ending() with { Container = null, Workers = [], Verification = null, Refusals = ["the key is wrong"] }, Cancellation);

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Equal(["The run could not start: the key is wrong"], outcome.Reasons);
        Assert.NotNull(await new RunFiles(_store, "sample").ReadReportAsync("report.html", Cancellation));
    }

    [Fact]
    public async Task Save_CountDiffers_IsIncompleteAndSaysByHowMuch()
    {
        var sample = new RunSample { Seconds = 20, VerifiedShortBy = 3, Spec = new() { Id = "test", Documents = 4_000 } };
        await FillAsync(sample);
        var outcome = await ReportSaver.SaveAsync(_store, sample.Ending(), Cancellation);

        Assert.Equal(RunState.Incomplete, outcome.State);
        Assert.Equal(["The container's own count rose by 3,997, 3 fewer than the 4,000 asked. The workers put 4,000, so 3 are missing."], outcome.Reasons);
    }

    [Theory]
    [InlineData("html", "text/html")]
    [InlineData("md", "text/markdown")]
    [InlineData("csv", "text/csv")]
    [InlineData("json", "application/json")]
    public void Find_Format_GivesItsWriter(string format, string mediaType) => Assert.Equal(mediaType, ReportWriters.Find(format)!.MediaType);

    [Fact]
    public void Find_NoSuchFormat_IsNull() => Assert.Null(ReportWriters.Find("pdf"));

    private async Task<RunFiles> FillAsync(RunSample sample)
    {
        var files = new RunFiles(_store, sample.Spec.Id!);
        foreach (var leg in sample.Harvest().Results)
        {
            await files.ClaimAttemptAsync(leg.Output.Worker, leg.Output.Leg, "a", Cancellation);
            await files.KeepResultAsync(leg, Cancellation);
        }

        return files;
    }
}
