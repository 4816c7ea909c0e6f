namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>Each attempt gives an interrupted run time to end, so this takes longer than everything else here.</summary>
public sealed class UnusableAccountOfInterruptedRunTests : UnusableAccount
{
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public Task Experiment_OfAnInterruptedRun_LeavesItAsItWasAndCompletesAtLast() => ResumeInEachWayAsync("left");
}
