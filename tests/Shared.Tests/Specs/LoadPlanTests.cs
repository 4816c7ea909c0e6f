namespace ScaleOut.Tests.Shared.Specs;

public sealed class LoadPlanTests
{
    private static readonly ClientSettings Client = new() { ConnectionMode = ConnectionMode.Direct, Concurrency = 7 };

    [Fact]
    public void ConcurrencyAt_Users_AreSharedByTheWorkersToTheLastOne()
    {
        var workload = new WorkloadSpec { Steps = [Users(1, 10), Users(7, 20), Users(0, 5)] };
        var workers = Enumerable.Range(0, 3).Select(worker => new LoadPlan(workload, Client, worker, 3)).ToList();

        Assert.Equal([1, 0, 0], workers.Select(plan => plan.ConcurrencyAt(9.9).Concurrency));
        Assert.Equal([3, 2, 2], workers.Select(plan => plan.ConcurrencyAt(10).Concurrency));
        Assert.Equal([0, 0, 0], workers.Select(plan => plan.ConcurrencyAt(31).Concurrency));
        Assert.Equal([3, 2, 2], workers.Select(plan => plan.Concurrency));
        Assert.Equal((10, 30, 35), (workers[0].ConcurrencyAt(0).Until, workers[0].ConcurrencyAt(15).Until, workers[0].End));
        Assert.Equal((0, double.PositiveInfinity), workers[0].ConcurrencyAt(35));
    }

    [Fact]
    public void DueAt_Rates_FollowEachOther()
    {
        var plan = new LoadPlan(new WorkloadSpec { Steps = [Rate(2, 10), Rate(0.5, 20), Rate(4, 5)] }, Client, 0, 1);
        Assert.True(plan.IsOpen);
        Assert.Equal([0, 0.5, 9.5, 10, 12, 28, 30, 30.25], new long[] { 0, 1, 19, 20, 21, 29, 30, 31 }.Select(plan.DueAt));
        Assert.Equal(double.PositiveInfinity, plan.DueAt(50));
        Assert.Equal(7, plan.Concurrency);
    }

    [Fact]
    public void StepAt_AnyTime_IsTheStepItLiesInAndTheLastOneAfterAll()
    {
        var plan = new LoadPlan(new WorkloadSpec { Steps = [Users(1, 10), Users(2, 10)] }, Client, 0, 1);
        Assert.Equal([0, 0, 1, 1, 1], new[] { 0, 9.99, 10, 19.99, 60 }.Select(plan.StepAt));
    }

    [Fact]
    public void From_NoSteps_HasTheClientsLoad()
    {
        var closed = new LoadPlan(new WorkloadSpec(), Client, 0, 1);
        var open = new LoadPlan(new WorkloadSpec(), Client with { Rate = 0.25 }, 0, 1);
        Assert.Equal((false, 7, null), (closed.IsOpen, closed.ConcurrencyAt(5).Concurrency, closed.End));
        Assert.Equal((true, 40), (open.IsOpen, open.DueAt(10)));
    }

    [Fact]
    public void Start_WorkersThatWaitBetweenOperations_NeverBeginAtTheSameInstant()
    {
        var thinking = Fleet(new WorkloadSpec { ThinkTime = TimeSpan.FromSeconds(1) }, Client with { Concurrency = 2 });
        var open = Fleet(new WorkloadSpec(), Client with { Rate = 0.5 });
        var batches = Fleet(new WorkloadSpec { Kind = WorkloadKind.Batch, BatchSize = 8 }, Client with { Rate = 4 });
        var steps = Fleet(new WorkloadSpec { Steps = [Rate(2, 10)] }, Client);

        Assert.Equal([0, 0.125, 0.25, 0.375], thinking.Select(plan => plan.FirstThinkShare(0)));
        Assert.Equal([0.5, 0.625, 0.75, 0.875], thinking.Select(plan => plan.FirstThinkShare(1)));
        Assert.Equal([0, 0.5, 1, 1.5], open.Select(plan => plan.DueAt(0)));
        Assert.Equal([2, 2.5, 3, 3.5], batches.Select(plan => plan.DueAt(8)));
        Assert.Equal([9.5, 9.625, 9.75, 9.875], steps.Select(plan => plan.DueAt(19)));

        static List<LoadPlan> Fleet(WorkloadSpec workload, ClientSettings client) =>
            [.. Enumerable.Range(0, 4).Select(worker => new LoadPlan(workload, client, worker, workers: 4))];
    }

    [Fact]
    public void TurnOf_LoopsThatAStepAdds_BeginAPartOfTheThinkTimeApart()
    {
        var workload = new WorkloadSpec { ThinkTime = TimeSpan.FromSeconds(0.3), Steps = [Users(1, 10), Users(3, 20)] };
        var plan = new LoadPlan(workload, Client, 0, 1);
        Assert.Equal([4, 10.1, 10.2], new[] { 0, 1, 2 }.Select(loop => Math.Round(plan.TurnOf(loop, 4), 9)));
        Assert.Equal([12, 12, 12], new[] { 0, 1, 2 }.Select(loop => plan.TurnOf(loop, 12)));
        Assert.Equal(double.PositiveInfinity, plan.TurnOf(0, 30));
    }

    private static StepSpec Users(int users, int seconds) => new() { Users = users, Duration = TimeSpan.FromSeconds(seconds) };

    private static StepSpec Rate(double rate, int seconds) => new() { Rate = rate, Duration = TimeSpan.FromSeconds(seconds) };
}
