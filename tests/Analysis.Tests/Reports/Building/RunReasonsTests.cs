using ScaleOut.Analysis.Reports.Building;

namespace ScaleOut.Tests.Analysis.Reports.Building;

public sealed class RunReasonsTests
{
    /// <summary>
    /// Workers find documents that are there already. The count contains those of a lost leg, but not those from before the run.
    /// </summary>
    [Theory]
    [InlineData(500, 500, 500, "The workers wrote 500 and found 500 there already, which agrees with the count.")]
    [InlineData(500, 500, 700, "The workers wrote 500 and found 500 there already, which agrees with the count.")]
    [InlineData(
        500, 500, 499, "The workers wrote 500 and found 500 there already, so 1 are missing, or somebody else deleted them.")]
    [InlineData(
        500, 500, 1_002, "The workers wrote 500 and found 500 there already, so 2 were written by lost legs, or by somebody else.")]
    [InlineData(990, 0, 990, "That is exactly what the workers wrote.")]
    [InlineData(1_000, 0, 990, "The workers wrote 1,000, so 10 are missing, or somebody else deleted them.")]
    public void From_CountOfInsertsDiffers_SaysWhatTheWorkersKnow(long inserted, long found, long verified, string expected) =>
        Assert.EndsWith(expected, ReasonOf(WorkloadKind.Insert, inserted, found, verified), StringComparison.Ordinal);

    [Theory]
    [InlineData(0, 800, 0, "The workers deleted 0 and found 800 gone already, which agrees with the count.")]
    [InlineData(800, 0, 700, "The workers deleted 800, so 100 were written again by somebody else.")]
    [InlineData(800, 0, 900, "The workers deleted 800, so 100 were deleted by lost legs, or by somebody else.")]
    public void From_CountOfDeletesDiffers_SaysWhatTheWorkersKnow(long deleted, long gone, long verified, string expected) =>
        Assert.EndsWith(expected, ReasonOf(WorkloadKind.Delete, deleted, gone, verified), StringComparison.Ordinal);

    [Theory]
    [InlineData(false, 1, "was run again")]
    [InlineData(false, 2, "were run again")]
    [InlineData(true, 1, "left no result; the run ended before all documents were done")]
    public void Figures_LostLegs_AreSaidToRunAgainOnlyWhereTheyDid(bool stopped, int lost, string expected)
    {
        var report = new RunSample { Seconds = 20, Spec = new() { Id = "sample", Documents = 4_000 } }.Build() with
        {
            LostLegs = lost,
            State = stopped ? RunState.Stopped : RunState.Complete,
        };

        Assert.Contains(expected, Encoding.UTF8.GetString(RunForms.Kind.Write(report, "report.md")), StringComparison.Ordinal);
    }

    /// <summary>The sample's run takes three minutes.</summary>
    [Theory]
    [InlineData(60, 10, RunState.Complete)]
    [InlineData(60, -10, RunState.Incomplete)]
    [InlineData(86_400, 10, RunState.Incomplete)]
    [InlineData(-1, 10, RunState.Incomplete)]
    [InlineData(null, 10, RunState.Incomplete)]
    public void From_CountFallsShort_IsCompleteOnlyIfDocumentsMayHaveExpired(int? timeToLive, int missing, RunState state)
    {
        var sample = new RunSample
        {
            Spec = new() { Id = "sample", Documents = 4_000, Container = new() { TimeToLive = timeToLive } }, VerifiedShortBy = missing,
        };

        var report = sample.Build();

        Assert.Equal(state, report.State);
        Assert.Equal(state == RunState.Complete, report.Warnings.Any(warning => warning.StartsWith(
            "Documents expire after 60 seconds (container.timeToLive): 10 were gone when the container was counted",
            StringComparison.Ordinal)));
        Assert.Equal(state == RunState.Complete, Sentences.State(report).EndsWith(
            "; 10 documents had expired when the container was counted.", StringComparison.Ordinal));
    }

    [Fact]
    public void From_FailedActions_SaysThatTheyEndedAtAStep()
    {
        var sample = new RunSample
        {
            Spec = new() { Id = "sample", Documents = 1_000, Workload = new() { Action = [WorkloadKind.Read, WorkloadKind.Patch] } },
        };
        var documents = new ReportedDocuments { Asked = 1_000, Inserted = 997, AlreadyPresent = 0, Failed = 3, Remaining = 0 };

        var reasons = RunReasons.From(
            sample.Ending(),
            sample.Build() with { State = RunState.Incomplete, Documents = documents, Failures = ["action 7, step 2: 400"] });

        Assert.Equal(
            ["3 actions ended at a step that failed for good, without the steps after it. The first: action 7, step 2: 400"], reasons);
    }

    [Fact]
    public void From_StoppedWithMoreDocumentsThanTheActionsWrote_NamesStepsThatWereCut()
    {
        var sample = new RunSample
        {
            Spec = new() { Id = "sample", Documents = 1_000, Workload = new() { Action = [WorkloadKind.Insert, WorkloadKind.Read] } },
        };
        var documents = new ReportedDocuments
        {
            Asked = 1_000, Inserted = 900, AlreadyPresent = 0, Failed = 0, Remaining = 100, Rise = 900, Verified = 904,
        };

        var ending = sample.Ending();
        ending = ending with { Workers = [ending.Workers[0] with { End = WorkerState.Stopped }] };
        var reasons = RunReasons.From(ending, new RunSample().Build() with { State = RunState.Stopped, Documents = documents });

        Assert.Equal("The run was stopped with 100 of 1,000 actions remaining.", reasons[0]);
        Assert.Equal(2, reasons.Count);
        Assert.EndsWith(
            "The workers wrote 900, so 4 were written by steps that were cut, by lost legs, or by somebody else.", reasons[1],
            StringComparison.Ordinal);
    }

    private static string ReasonOf(WorkloadKind kind, long done, long found, long verified)
    {
        var sample = new RunSample { Spec = new() { Id = "sample", Documents = 1_000, Workload = new() { Kind = kind } } };
        var ending = sample.Ending() with { Verification = new Verification(verified) };
        var documents = new ReportedDocuments
        {
            Asked = 1_001, Inserted = done, AlreadyPresent = found, Failed = 0, Remaining = 0, Verified = verified,
        };
        return Assert.Single(RunReasons.From(ending, new RunSample().Build() with { State = RunState.Incomplete, Documents = documents }));
    }
}
