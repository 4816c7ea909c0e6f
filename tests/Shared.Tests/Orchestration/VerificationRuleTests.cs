namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class VerificationRuleTests
{
    private static readonly WorkerOutcome Done = new()
    {
        Worker = 0, End = WorkerState.Done, Counts = new() { Inserted = 10 }, Remaining = 0,
    };

    [Theory]
    [InlineData(WorkloadKind.Insert, null, null, 10, 10)]
    [InlineData(WorkloadKind.Delete, null, null, 0, 10)]
    [InlineData(WorkloadKind.Delete, 15L, null, 5, 10)]
    [InlineData(WorkloadKind.Delete, 15L, null, 6, 9)]
    [InlineData(WorkloadKind.Delete, null, "mine", -10, 10)]
    public void From_Count_IsTheRiseOrTheFallFromThePreload(WorkloadKind kind, long? preload, string? named, long rise, long expected)
    {
        var spec = Spec(kind, preload) with { Container = new ContainerSpec { Name = named } };
        Assert.Equal(expected, VerificationRule.From(spec, new Verification(rise), [Done]).Verified);
    }

    [Fact]
    public void From_DeletesStoppedBeforeAllDocumentsWereThere_IsNotKnown()
    {
        var stopped = Done with { Worker = 1, End = WorkerState.Stopped, Counts = default };
        var verification = VerificationRule.From(Spec(WorkloadKind.Delete), new Verification(5), [Done, stopped]);
        Assert.Null(verification.Verified);
        Assert.NotNull(verification.Reason);
    }

    [Fact]
    public void From_NotCounted_KeepsTheReason() =>
        Assert.Equal("gone", VerificationRule.From(Spec(WorkloadKind.Delete), new Verification(null, "gone"), [Done]).Reason);

    private static RunSpec Spec(WorkloadKind kind, long? preload = null) =>
        new() { Id = "r", Documents = 10, Workload = new WorkloadSpec { Kind = kind, Preload = preload } };
}
