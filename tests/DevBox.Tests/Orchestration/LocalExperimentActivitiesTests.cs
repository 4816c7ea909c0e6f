namespace ScaleOut.Tests.DevBox.Orchestration;

/// <summary>Runs whose folders exist already, so the tests measure nothing.</summary>
public sealed class LocalExperimentActivitiesTests : IDisposable
{
    private static readonly ExperimentSpec Experiment = ExperimentSample.From(1, 1);
    private static readonly PlannedRun Run = new GridPlanner(Experiment).All[0];
    private static readonly RunSpec Spec = Run.Spec with { Simulation = new SimulationSpec() };

    private readonly TemporaryFolder _folder = new();
    private readonly ExperimentStop _stop = new();
    private readonly FoundRuns _display = new();
    private readonly FolderRunStore _store;
    private readonly RunFolder _run;
    private readonly RunFiles _files;
    private readonly LocalExperimentActivities _activities;

    public LocalExperimentActivitiesTests()
    {
        _store = _folder.StoreWith("sample");
        _run = new RunFolder(_folder.Path, Spec.Id!);
        _files = new RunFiles(_store, Spec.Id!);
        _activities = new LocalExperimentActivities(_folder.Path, Experiment, account: null, _stop, _display);
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _stop.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task Claim_NewRun_IsListedAsOneOfItsExperiment()
    {
        Assert.NotNull((await _activities.ClaimAsync(Run.Spec)).Spec);
        Assert.Equal(Experiment.Id, (await _files.ReadListingAsync(Cancellation))!.Experiment);
        Assert.Equal($"experiment {Experiment.Id}", await _files.ReadStartedByAsync(Cancellation));
    }

    [Fact]
    public async Task Claim_MeasuredBefore_GivesItsOutcome()
    {
        await _files.TryClaimAsync(Spec, Cancellation);
        await WriteReportAsync();
        var claim = await _activities.ClaimAsync(Run.Spec);
        Assert.Equal(Assert.Single(_display.Reports).State, claim.Measured!.State);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Claim_RunOfASearch_IsMeasuredAgainOnlyIfItDidNotCount(bool counts)
    {
        await _files.TryClaimAsync(Spec, Cancellation);
        await WriteReportAsync(report => counts ? report : report with { LostLegs = 1 });
        var question = new RateQuestion(
            new LimitSpec { Until = "p99<20ms" }, (Run with { Rate = 100 }).End(RunState.Complete, reason: null));

        var claim = await _activities.ClaimAsync(Run.Spec, question);

        Assert.Equal((counts, !counts), (claim.Measured is not null, claim.Spec is not null));
        Assert.Equal(counts, await _files.FindEndedAsync(Cancellation) is not null);
        Assert.Equal(counts ? [] : ["sample-v01-r01 did not count, and is measured again"], _display.Notes);
    }

    /// <summary>The run's program was killed between two forms of the report.</summary>
    [Fact]
    public async Task Claim_PartsOfTheReportMissing_MakesThemAndGivesTheOutcome()
    {
        await _files.TryClaimAsync(Spec, Cancellation);
        await new AccountFolder(_run.FullPath).WriteAsync(
            new AccountFile
            {
                Endpoint = new Uri("https://127.0.0.1:1/"), Simulated = true, ProcessId = int.MaxValue,
                ControlEndpoint = new Uri("http://127.0.0.1:1/"),
            },
            Cancellation);
        var sample = Sample();
        await _files.SetStartAsync(sample.AllLegs().Start!, Cancellation);
        foreach (var leg in sample.AllLegs().Results)
            await _files.CreateResultIfAbsentAsync(leg, Cancellation);
        await _files.CreatePreparedIfAbsentAsync(sample.Ending().Container!, Cancellation);
        await _files.CreateEndingIfAbsentAsync(sample.Ending(), Cancellation);
        await _files.WriteReportAsync("report.json", default, Cancellation);
        foreach (var damaged in (string[])["report.json", "report.html", "ended.json"])
        {
            var claim = await _activities.ClaimAsync(Run.Spec);

            Assert.Equal(RunState.Complete, claim.Measured!.State);
            Assert.Equal(RemainingWork.None, await RemainingWorkReader.ReadAsync(_files, Cancellation));
            Assert.Equal(claim.Measured.Counts.Inserted, _display.Reports[^1].Documents.Inserted);
            Assert.Equal("the report of sample-v01-r01 is made again from what the run kept", _display.Notes[^1]);
            await File.WriteAllTextAsync(Path.Combine(_run.FullPath, damaged), "{", Cancellation);
        }

        await File.WriteAllTextAsync(Path.Combine(_run.FullPath, "ending.json"), "{", Cancellation);
        Assert.Null((await _activities.ClaimAsync(Run.Spec)).Measured);
        Assert.StartsWith("sample-v01-r01/ending.json cannot be used: ", _display.Notes[^1], StringComparison.Ordinal);
        Assert.EndsWith("The run is measured again.", _display.Notes[^1], StringComparison.Ordinal);
        Assert.False(await _files.HasAsync(RunFiles.EndingName, Cancellation));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Claim_IdOfAnotherRun_IsRejectedAndThatRunStays(bool ended)
    {
        await _files.TryClaimAsync(new RunSpec { Id = Spec.Id }, Cancellation);
        await _files.MarkReadyAsync(0, Cancellation);
        if (ended)
            await WriteReportAsync();
        var before = Entries();

        var claim = await _activities.ClaimAsync(Run.Spec);

        Assert.True(claim.IdInUse);
        Assert.Equal(before, Entries());
        Assert.Empty(_display.Reports);
    }

    [Fact]
    public async Task Run_IdOfAnotherRun_KeepsThatRunOutOfTheReport()
    {
        await _files.TryClaimAsync(new RunSpec { Id = Spec.Id }, Cancellation);
        await WriteReportAsync();
        var outcome = await _activities.RunAsync(NullLogger.Instance);
        Assert.Equal((ExperimentState.Incomplete, 1), (outcome.State, outcome.NotComplete));
        var json = await new ExperimentFiles(_store, "sample").ReadReportAsync("report.json", Cancellation);
        var run = Assert.Single(ExperimentForms.Kind.Read(json!).Variants[0].Runs);
        Assert.Equal((RunState.Failed, null, null), (run.State, run.Figures, run.Documents));
        Assert.Contains("in use by another run", run.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Claim_IdOfAnExperiment_IsRejected()
    {
        await new ExperimentFiles(_store, Spec.Id!).TryClaimAsync(ExperimentSample.From(1, 1) with { Id = Spec.Id }, Cancellation);
        Assert.True((await _activities.ClaimAsync(Run.Spec)).IdInUse);
    }

    [Fact]
    public async Task Claim_RunOfAnotherProcess_IsRejectedAndItsFilesStay()
    {
        await _files.TryClaimAsync(Spec, Cancellation);
        await _files.MarkReadyAsync(0, Cancellation);
        using var held = RunLock.TryTake(_run);
        var before = Entries();
        var claim = await _activities.ClaimAsync(Run.Spec);
        Assert.Equal(
            (false, "The run 'sample-v01-r01' is being run by another process on this machine."), (claim.IdInUse, claim.NotClaimed));
        Assert.Equal(before, Entries());
    }

    private string[] Entries() =>
        [.. Directory.GetFileSystemEntries(_run.FullPath, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)];

    private static RunSample Sample() => new() { Seconds = 5, Spec = Spec with { Documents = 1_000 } };

    private async Task WriteReportAsync(Func<RunReport, RunReport>? change = null)
    {
        await Sample().WriteLegsAsync(_files);
        var (outcome, _) = await ReportSaver.SaveAsync(_store, Sample().Ending(), Cancellation);
        await RunForms.Kind.SaveAsync(_store, change?.Invoke(Sample().Build()) ?? Sample().Build(), Cancellation);
        await _files.WriteEndedAsync(new RunEnded(outcome, Sample().Ending().FinishedAt), Cancellation);
    }

    private sealed class FoundRuns : IExperimentDisplay
    {
        public List<RunReport> Reports { get; } = [];
        public List<string> Notes { get; } = [];

        public void Show(ExperimentStatus status)
        {
        }

        public Task<T> ShowWhileAsync<T>(PlannedRun run, RunTally tally, Task<T> work) => work;

        public void Ended(PlannedRun run, RunResult result)
        {
        }

        public void Note(string text) => Notes.Add(text);

        public void Found(PlannedRun run, RunReport report) => Reports.Add(report);
    }
}
