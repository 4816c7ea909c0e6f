namespace ScaleOut.Tests.Analysis.Reports.Writers;

public sealed class ReportSaverTests
{
    private static readonly RunSample Sample = new() { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };

    private static readonly RunEnding Rejected =
        new RunSample().Ending() with { Container = null, Workers = [], Verification = null, Rejections = ["the key is wrong"] };

    private readonly MemoryRunStore _store = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Save_Run_WritesEveryFormOfTheSameReport()
    {
        var files = await FillAsync();
        var (outcome, _) = await ReportSaver.SaveAsync(_store, Sample.Ending(), Cancellation);

        Assert.Equal((RunState.Complete, 4_000, 0, 4_000L), (outcome.State, outcome.Counts.Inserted, outcome.Remaining, outcome.Verified));
        Assert.Empty(outcome.Reasons);
        Assert.Null(await files.ReadEndedAsync(Cancellation));
        var forms = SampleForms.From(RunForms.Kind, Sample.Build());
        Assert.Equal(4, forms.Count);
        foreach (var (name, text) in forms)
            Assert.Equal(text, Encoding.UTF8.GetString((await files.ReadReportAsync(name, Cancellation))!));
    }

    /// <summary>Lists and the page show the status after a run's end, so it must not give other rates than the report.</summary>
    [Theory]
    [InlineData(20)]
    [InlineData(3)]
    public void OutcomeOf_Report_GivesTheStatusItsRates(int seconds)
    {
        var sample = Sample with { Seconds = seconds };
        var report = sample.Build();
        Assert.Equal(seconds == 20, report.Throughput.OverlapPerSecond is not null);

        var status = RunStatus.From(ReportSaver.OutcomeOf(sample.Ending(), report), asked: 4_000);

        Assert.Equal(
            (report.Throughput.Rate, report.RequestUnits.PerSecondMean), (status.PerSecond?.Documents, status.PerSecond?.RequestUnits));
    }

    [Fact]
    public async Task Save_Rejected_GivesTheReasonsAndMayStillStart()
    {
        var (outcome, _) = await ReportSaver.SaveAsync(_store, Rejected, Cancellation);
        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Equal(["The run could not start: the key is wrong"], outcome.Reasons);
        Assert.NotNull(await new RunFiles(_store, "sample").ReadReportAsync("report.html", Cancellation));
        Assert.Null(await new RunFiles(_store, "sample").ReadEndingAsync(Cancellation));
    }

    /// <summary>That report knows nothing about the later start, which got the container.</summary>
    [Fact]
    public async Task Save_RejectedAndThenBegun_LeavesNoFormOfThatReport()
    {
        var files = new RunFiles(_store, "sample");
        await ReportSaver.SaveAsync(_store, Rejected, Cancellation);
        await files.NoteBegunAsync(DateTimeOffset.UnixEpoch, Cancellation);
        foreach (var name in RunForms.Kind.Forms.Select(form => form.FileName).Append("report-checksums.json"))
            Assert.False(await files.HasAsync(name, Cancellation), name);
    }

    [Theory]
    [InlineData(RunState.Failed)]
    [InlineData(RunState.Stopped)]
    public async Task Save_FailedRestartOfARunWithAContainer_WritesNothing(RunState state)
    {
        var ending = Rejected with { StoppedInPreparation = state == RunState.Stopped };
        await new RunFiles(_store, "sample").CreatePreparedIfAbsentAsync(new RunSample().Ending().Container!, Cancellation);
        var (outcome, _) = await ReportSaver.SaveAsync(_store, ending, Cancellation);
        Assert.Equal((state, true), (outcome.State, outcome.NothingChanged));
        Assert.Equal(["The run could not go on: the key is wrong"], outcome.Reasons);
        Assert.Equal([RunFiles.PreparedName], await _store.ListAsync("sample", "", Cancellation));
    }

    [Fact]
    public async Task Save_CountDiffers_IsIncompleteAndSaysByHowMuch()
    {
        await FillAsync();
        var (outcome, _) = await ReportSaver.SaveAsync(_store, (Sample with { VerifiedShortBy = 3 }).Ending(), Cancellation);
        Assert.Equal(RunState.Incomplete, outcome.State);
        Assert.Equal(
            ["The container's own count rose by 3,997, 3 fewer than the 4,000 asked. The workers wrote 4,000, so 3 are missing, or "
                + "somebody else deleted them."],
            outcome.Reasons);
    }

    [Fact]
    public async Task Save_CommonStartIsMissing_IsIncompleteAndSaysSo()
    {
        await FillAsync();
        await _store.DeleteAsync("test", name => name == RunFiles.StartName, Cancellation);
        var (outcome, _) = await ReportSaver.SaveAsync(_store, Sample.Ending(), Cancellation);
        Assert.Equal(RunState.Incomplete, outcome.State);
        AssertText.AnyHas(outcome.Reasons, "start.json, which says when that was, is missing");
    }

    [Fact]
    public async Task Save_AgainWithAnotherEnding_WritesTheSame()
    {
        var files = await FillAsync();
        var (first, _) = await ReportSaver.SaveAsync(_store, Sample.Ending(), Cancellation);
        var json = await files.ReadReportAsync("report.json", Cancellation);

        // The container is gone, so its documents cannot be counted again.
        var (again, _) = await ReportSaver.SaveAsync(
            _store, Sample.Ending() with { FinishedAt = DateTimeOffset.MaxValue, Verification = new Verification(null, "gone") },
            Cancellation);

        Assert.Equivalent(first, again, strict: true);
        Assert.Equal(json, await files.ReadReportAsync("report.json", Cancellation));
    }

    /// <summary>A resumed run may still succeed after a failure, so its ending is open until its report is written.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Save_NoFormCanBeWritten_KeepsHowTheRunEndedUnlessItFailed(bool failed)
    {
        var files = await FillAsync();
        var ending = Sample.Ending();
        var failure = ending.Workers[0] with { End = WorkerState.Failed, Reason = "No space left on device" };
        if (failed)
            ending = ending with { Workers = [failure, .. ending.Workers.Skip(1)] };
        _store.BeforeWrite = name =>
        {
            if (name.StartsWith("report", StringComparison.Ordinal))
                throw new IOException("No space left on device");
        };

        await Assert.ThrowsAsync<IOException>(() => ReportSaver.SaveAsync(_store, ending, Cancellation));

        _store.BeforeWrite = _ => { };
        Assert.Equal(failed, await files.ReadEndingAsync(Cancellation) is null);
        await ReportSaver.SaveAsync(_store, ending, Cancellation);
        Assert.NotNull(await files.ReadEndingAsync(Cancellation));
    }

    private async Task<RunFiles> FillAsync()
    {
        var files = new RunFiles(_store, "test");
        await Sample.WriteLegsAsync(files);
        return files;
    }
}
