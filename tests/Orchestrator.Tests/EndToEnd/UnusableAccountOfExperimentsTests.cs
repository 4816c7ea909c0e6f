namespace ScaleOut.Orchestrator.Tests.EndToEnd;

public sealed class UnusableAccountOfExperimentsTests : UnusableAccount
{
    /// <summary>The run has documents in a named container, or in a deleted one.</summary>
    [Theory(Timeout = FunctionsHost.MaxTestMs, Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("named")]
    [InlineData("deleted")]
    public Task Experiment_ResumedWhereTheAccountCannotBeUsed_LeavesItsRunAsItWasAndCompletesAtLast(string container) =>
        ResumeInEachWayAsync(container);
}
