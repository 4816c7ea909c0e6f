namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>Each attempt gives an interrupted run time to end, so this takes longer than everything else here.</summary>
public sealed class UnusableAccountOfInterruptedRunTests : UnusableAccount
{
    [Fact(Timeout = FunctionsHost.MaxTestMs, Explicit = true)]
    [Trait("Duration", "Long")]
    public Task Experiment_OfAnInterruptedRun_LeavesItAsItWasAndCompletesAtLast() => ResumeInEachWayAsync("left");
}
