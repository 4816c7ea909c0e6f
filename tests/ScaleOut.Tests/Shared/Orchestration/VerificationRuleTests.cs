namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class VerificationRuleTests
{
    private static readonly WorkerOutcome Done = new()
    {
        Worker = 0, End = WorkerEnd.Done, Counts = new() { Inserted = 10 }, Remaining = 0,
    };

    [Fact]
    public void From_Inserts_IsTheRise() =>
        Assert.Equal(10, VerificationRule.From(Spec(WorkloadKind.Insert), new Verification(10), [Done]).Verified);

    [Theory]
    [InlineData(null, 0, 10)]
    [InlineData(15L, 5, 10)]
    [InlineData(15L, 6, 9)]
    public void From_Deletes_IsTheFallFromThePreload(long? preload, long rise, long expected) =>
        Assert.Equal(expected, VerificationRule.From(Spec(WorkloadKind.Delete, preload), new Verification(rise), [Done]).Verified);

    [Fact]
    public void From_DeletesInANamedContainer_IsTheFall()
    {
        var spec = Spec(WorkloadKind.Delete) with { Container = new ContainerSpec { Name = "mine" } };

        Assert.Equal(10, VerificationRule.From(spec, new Verification(-10), [Done]).Verified);
    }

    [Fact]
    public void From_DeletesStoppedBeforeAllDocumentsWereThere_IsNotKnown()
    {
        var stopped = Done with { Worker = 1, End = WorkerEnd.Stopped, Counts = default };

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
