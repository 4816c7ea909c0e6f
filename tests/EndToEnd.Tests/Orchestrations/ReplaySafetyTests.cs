namespace ScaleOut.Tests.EndToEnd.Orchestrations;

/// <summary>A durable engine replays orchestrations on one thread: every continuation must come back to its context.</summary>
public sealed class ReplaySafetyTests
{
    [Fact]
    public void Run_OnOneThreadsContext_NeverLeavesIt()
    {
        var threads = PumpContext.Run(context =>
        {
            var run = new SlowRun(context);
            return (run.RunAsync(new RunSpec { Id = "test", Documents = 600, Workers = 60 }), run.Threads);
        });

        Assert.Equal([Environment.CurrentManagedThreadId], threads.Distinct());
        Assert.True(threads.Count > 240, "every call was seen");
    }

    /// <summary>Completes every call later, and notes on which thread it was made.</summary>
    private sealed class SlowRun(PumpContext context) : ScriptedRun(LoseSecondLegs())
    {
        public List<int> Threads { get; } = [];

        protected override Task<T> LaterAsync<T>(Task<T> task) => context.LaterAsync(task, Threads);

        private static Func<LegInput, LegOutput> LoseSecondLegs()
        {
            var lost = new HashSet<int>();
            return leg =>
                leg.Leg == 2 && lost.Add(leg.Assignment.Worker) ? throw new LegLostException("killed") : ScriptedLeg.Insert(leg, 3);
        }
    }
}
