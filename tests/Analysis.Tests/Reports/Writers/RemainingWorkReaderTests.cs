namespace ScaleOut.Tests.Analysis.Reports.Writers;

public sealed class RemainingWorkReaderTests
{
    private static readonly RunSample Sample = new() { Seconds = 5 };

    private readonly MemoryRunStore _store = new();
    private readonly RunFiles _files;

    public RemainingWorkReaderTests() => _files = new RunFiles(_store, Sample.Spec.Id!);

    public static TheoryData<string> Forms => [.. RunForms.Kind.Forms.Select(form => form.FileName)];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Find_ClaimedRun_IsWork()
    {
        await _files.TryClaimAsync(Sample.Spec, Cancellation);
        Assert.Equal(RemainingWork.Documents, await FindAsync());
    }

    [Theory]
    [InlineData(true, RemainingWork.Conclusion)]
    [InlineData(false, RemainingWork.Documents)]
    public async Task Find_ReportedButNotMarked_IsConclusionUnlessLegsAreMissing(bool hasLegs, object remainder)
    {
        if (hasLegs)
            await Sample.WriteLegsAsync(_files);
        Assert.Equal(hasLegs, !(await ReportSaver.SaveAsync(_store, Sample.Ending(), Cancellation)).Outcome.MissesLegs);
        Assert.Equal(remainder, await FindAsync());
    }

    [Fact]
    public async Task Find_EndedRun_IsNothing()
    {
        await EndAsync();
        Assert.Equal(RemainingWork.None, await FindAsync());
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Find_EndedRunWithAFormThatIsMissingOrEmpty_IsConclusion(string form)
    {
        await EndAsync();
        await _files.WriteReportAsync(form, default, Cancellation);
        Assert.Equal(RemainingWork.Conclusion, await FindAsync());
        await _store.DeleteAsync(Sample.Spec.Id!, name => name == form, Cancellation);
        Assert.Equal(RemainingWork.Conclusion, await FindAsync());
    }

    /// <summary>Without the checksums nobody knows whether a form was changed.</summary>
    [Fact]
    public async Task Find_EndedRunWithoutTheChecksumsOfItsReport_IsConclusion()
    {
        await EndAsync();
        await _store.DeleteAsync(Sample.Spec.Id!, name => name == "report-checksums.json", Cancellation);
        Assert.Equal(RemainingWork.Conclusion, await FindAsync());
        AssertText.Has((await _files.FindReportDamageAsync(Cancellation))!.Message, "report-checksums.json is damaged: it is missing");
    }

    /// <summary>The run waited for its turn when its server ended.</summary>
    [Fact]
    public async Task Find_RunThatWasGivenUpBeforeItBegan_IsWork()
    {
        await _files.TryClaimAsync(Sample.Spec, Cancellation);
        await MarkAsync(new RunOutcome { RunId = Sample.Spec.Id!, State = RunState.Stopped, Remaining = Sample.Spec.Documents });
        Assert.Equal(RemainingWork.Documents, await FindAsync());
    }

    [Theory]
    [InlineData(false, RemainingWork.Documents)]
    [InlineData(true, RemainingWork.None)]
    public async Task Find_RunThatCouldNotStart_IsWorkUnlessItWasStopped(bool stopped, object remainder)
    {
        await _files.TryClaimAsync(Sample.Spec, Cancellation);
        var ending = Sample.Ending() with { Container = null, Workers = [], Verification = null, StoppedInPreparation = stopped };
        await EndAsync(ending with { Rejections = stopped ? [] : ["no key"] });
        Assert.Equal(remainder, await FindAsync());
    }

    private Task<RemainingWork> FindAsync() => RemainingWorkReader.ReadAsync(_files, Cancellation);

    private async Task EndAsync() => await EndAsync(Sample.Ending());

    private async Task EndAsync(RunEnding ending)
    {
        await Sample.WriteLegsAsync(_files);
        await MarkAsync((await ReportSaver.SaveAsync(_store, ending, Cancellation)).Outcome);
    }

    private Task MarkAsync(RunOutcome outcome) => _files.WriteEndedAsync(new RunEnded(outcome, Sample.Ending().FinishedAt), Cancellation);
}
