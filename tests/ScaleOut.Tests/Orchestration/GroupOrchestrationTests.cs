using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Orchestration;

public sealed class GroupOrchestrationTests
{
    [Theory]
    [InlineData(WorkloadKind.Read, null, true)]
    [InlineData(WorkloadKind.Delete, null, true)]
    [InlineData(WorkloadKind.Query, "mine", false)]
    [InlineData(WorkloadKind.Insert, null, false)]
    public async Task Run_AnyWorkload_PutsDocumentsIntoTheRunsOwnContainerAlone(WorkloadKind kind, string? container, bool puts)
    {
        var assignments = new List<WorkerAssignment>();
        var spec = new RunSpec { Id = "r", Documents = 10, Workers = 2, Workload = new() { Kind = kind, Population = 7 }, Container = new() { Name = container } };

        await GroupOrchestration.RunAsync(new RecordingPort(assignments), new WorkerGroup { Spec = spec, Container = new("d", "c", "/id"), First = 0, Count = 2 });

        Assert.Equal(2, assignments.Count);
        Assert.All(assignments, assignment => Assert.Equal((puts, 10, 7), (assignment.PutsPopulation, assignment.Documents, assignment.Population)));
        Assert.All(assignments, assignment => Assert.Equal(("r", "r:again-2"), (assignment.RunId, assignment.RunInstanceId)));
    }

    private sealed class RecordingPort(List<WorkerAssignment> assignments) : IRunPort
    {
        public string RunInstanceId => "r:again-2";

        public DateTimeOffset UtcNow => DateTimeOffset.UnixEpoch;

        public Task<WorkerOutcome> RunWorkerAsync(WorkerState worker)
        {
            assignments.Add(worker.Assignment);
            return Task.FromResult(new WorkerOutcome { Worker = worker.Assignment.Worker, End = WorkerEnd.Done, Documents = new(), Remaining = 0 });
        }

        public Task<Preparation> PrepareContainerAsync(RunSpec spec) => throw new NotSupportedException();

        public Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(WorkerGroup group) => throw new NotSupportedException();

        public Task<LegOutput> RunLegAsync(LegInput leg) => throw new NotSupportedException();

        public Task<Verification> VerifyAsync(PreparedContainer container) => throw new NotSupportedException();

        public Task<RunOutcome> SaveReportAsync(RunEnding ending) => throw new NotSupportedException();

        public Task CleanUpAsync(PreparedContainer container) => throw new NotSupportedException();

        public Task DelayAsync(TimeSpan delay) => throw new NotSupportedException();

        public void PublishStatus(RunStatus status) => throw new NotSupportedException();
    }
}
