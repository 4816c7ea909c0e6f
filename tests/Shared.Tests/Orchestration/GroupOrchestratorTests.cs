namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class GroupOrchestratorTests
{
    [Theory]
    [InlineData(WorkloadKind.Read, null, true)]
    [InlineData(WorkloadKind.Delete, null, true)]
    [InlineData(WorkloadKind.Query, "mine", false)]
    [InlineData(WorkloadKind.Insert, null, false)]
    public async Task Run_AnyWorkload_PreloadsOnlyTheRunsOwnContainer(WorkloadKind kind, string? container, bool preloads)
    {
        var spec = new RunSpec
        {
            Id = "r", Documents = 10, Workers = 2, Workload = new() { Kind = kind, Preload = 7 }, Container = new() { Name = container },
        };
        var run = new ScriptedRun(ScriptedLeg.Finish);

        await run.RunAsync(GroupOrchestrator.RunAsync,
            new WorkerGroup { Spec = spec, Container = new("d", "c", "/id"), First = 0, Count = 2 }, "r:again-2:group-0000");

        Assert.Equal(2, run.Legs.Count);
        Assert.All(run.Legs.Select(leg => leg.Assignment), assignment =>
        {
            Assert.Equal((preloads, 10, 7), (assignment.Preloads, assignment.Documents, assignment.Preload));
            Assert.Equal(("r", "r:again-2"), (assignment.RunId, assignment.RunInstanceId));
            Assert.Equal((kind, false), (assignment.Workload.Kind, assignment.SpecIsKept));
        });
    }
}
