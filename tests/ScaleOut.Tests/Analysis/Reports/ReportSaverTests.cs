namespace ScaleOut.Tests.Analysis.Reports;

public sealed class ReportSaverTests
{
    private readonly MemoryRunStore _store = new();

    private static readonly RunEnding Rejected =
        new RunSample().Ending() with { Container = null, Workers = [], Verification = null, Rejections = ["the key is wrong"] };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Save_Run_WritesEveryFormOfTheSameReport()
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        var files = await FillAsync(sample);
        var (outcome, _) = await ReportSaver.SaveAsync(_store, sample.Ending(), Cancellation);

        Assert.Equal(
            (RunState.Complete, 4_000, 0, 4_000L), (outcome.State, outcome.Counts.Inserted, outcome.Remaining, outcome.Verified));
        Assert.Empty(outcome.Reasons);
        Assert.Null(await files.ReadEndedAsync(Cancellation));
        var forms = SampleForms.From(RunForms.Kind, sample.Build());
        Assert.Equal(4, forms.Count);
        foreach (var (name, text) in forms)
            Assert.Equal(text, Encoding.UTF8.GetString((await files.ReadReportAsync(name, Cancellation))!));
    }

    [Fact]
    public async Task Save_Rejected_GivesTheReasonsAndMayStartYet()
    {
        var (outcome, _) = await ReportSaver.SaveAsync(_store, Rejected, Cancellation);

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Equal(["The run could not start: the key is wrong"], outcome.Reasons);
        Assert.NotNull(await new RunFiles(_store, "sample").ReadReportAsync("report.html", Cancellation));
        Assert.Null(await new RunFiles(_store, "sample").ReadEndingAsync(Cancellation));
    }

    /// <summary>Its report says nothing of the start that then has the container.</summary>
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
    public async Task Save_StartWithoutTheContainerThatAnEarlierOneHad_WritesNothing(RunState state)
    {
        var ending = Rejected with { StoppedInPreparation = state == RunState.Stopped };
        await new RunFiles(_store, "sample").KeepPreparedAsync(new RunSample().Ending().Container!, Cancellation);

        var (outcome, _) = await ReportSaver.SaveAsync(_store, ending, Cancellation);

        Assert.Equal((state, true), (outcome.State, outcome.LeftAsItWas));
        Assert.Equal(["The run could not go on: the key is wrong"], outcome.Reasons);
        Assert.Equal([RunFiles.PreparedName], await _store.ListAsync("sample", "", Cancellation));
    }

    [Fact]
    public async Task Save_CountDiffers_IsIncompleteAndSaysByHowMuch()
    {
        var sample = new RunSample { Seconds = 20, VerifiedShortBy = 3, Spec = new() { Id = "test", Documents = 4_000 } };
        await FillAsync(sample);
        var (outcome, _) = await ReportSaver.SaveAsync(_store, sample.Ending(), Cancellation);

        Assert.Equal(RunState.Incomplete, outcome.State);
        Assert.Equal(
            ["The container's own count rose by 3,997, 3 fewer than the 4,000 asked. The workers wrote 4,000, so 3 are missing."],
            outcome.Reasons);
    }

    [Fact]
    public async Task Save_CommonStartIsMissing_IsIncompleteAndSaysSo()
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        await FillAsync(sample);
        await _store.DeleteAsync("test", name => name == RunFiles.StartName, Cancellation);

        var (outcome, _) = await ReportSaver.SaveAsync(_store, sample.Ending(), Cancellation);

        Assert.Equal(RunState.Incomplete, outcome.State);
        Assert.Contains(
            outcome.Reasons,
            reason => reason.Contains("start.json, which says when that was, is missing", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Save_AgainWithAnotherEnding_WritesTheSame()
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        var files = await FillAsync(sample);
        var (first, _) = await ReportSaver.SaveAsync(_store, sample.Ending(), Cancellation);
        var json = await files.ReadReportAsync("report.json", Cancellation);

        // The container is gone, so that it cannot be counted any more.
        var (again, _) = await ReportSaver.SaveAsync(
            _store, sample.Ending() with { FinishedAt = DateTimeOffset.MaxValue, Verification = new Verification(null, "gone") },
            Cancellation);

        Assert.Equivalent(first, again, strict: true);
        Assert.Equal(json, await files.ReadReportAsync("report.json", Cancellation));
    }

    /// <summary>A run that failed may come further when it is resumed, so how it ended is open until its report is there.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Save_NoFormCanBeWritten_KeepsHowTheRunEndedUnlessItFailed(bool failed)
    {
        var sample = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };
        var files = await FillAsync(sample);
        var ending = sample.Ending();
        if (failed)
            ending = ending with
            {
                Workers =
                [
                    ending.Workers[0] with { End = WorkerEnd.Failed, Reason = "No space left on device" },
                    .. ending.Workers.Skip(1),
                ],
            };

        await Assert.ThrowsAsync<IOException>(() => ReportSaver.SaveAsync(new FullStore(_store), ending, Cancellation));

        Assert.Equal(failed, await files.ReadEndingAsync(Cancellation) is null);
        await ReportSaver.SaveAsync(_store, ending, Cancellation);
        Assert.NotNull(await files.ReadEndingAsync(Cancellation));
    }

    /// <summary>Has no space for reports.</summary>
    private sealed class FullStore(IRunStore store) : IRunStore
    {
        public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
            store.TryCreateAsync(runId, name, content, cancellationToken);

        public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
            throw new IOException("No space left on device");

        public Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken) =>
            store.ReadAsync(runId, name, cancellationToken);

        public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
            store.ListAsync(runId, prefix, cancellationToken);

        public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken) =>
            store.DeleteAsync(runId, isMeant, cancellationToken);
    }

    private async Task<RunFiles> FillAsync(RunSample sample)
    {
        var files = new RunFiles(_store, sample.Spec.Id!);
        await sample.KeepLegsAsync(files);
        return files;
    }
}
