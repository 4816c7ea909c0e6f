using System.Collections.Concurrent;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Orchestration;

/// <summary>A durable engine replays orchestrations on one thread: every continuation must come back to its context.</summary>
public sealed class ReplaySafetyTests
{
    [Fact]
    public void Run_OnOneThreadsContext_NeverLeavesIt()
    {
        var context = new PumpContext();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(context);
        try
        {
            var port = new SlowPort(context);
            var run = RunOrchestration.RunAsync(port, new RunSpec { Id = "test", Documents = 600, Workers = 60 });
            context.PumpUntil(run);

            Assert.True(run.IsCompletedSuccessfully);
            Assert.Equal(RunState.Complete, port.Statuses[^1].Outcome!.State);
            Assert.Equal([Environment.CurrentManagedThreadId], port.Threads.Distinct());
            Assert.True(port.Threads.Count > 240, "every port call was seen");
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    /// <summary>Answers every call later, and notes on which thread it was made.</summary>
    private sealed class SlowPort(PumpContext context) : ScriptedPort(leg => ScriptedLeg.Insert(leg, 3))
    {
        private readonly HashSet<int> _lost = [];

        public ConcurrentQueue<int> Threads { get; } = [];

        public override Task<Preparation> PrepareContainerAsync(RunSpec spec) => LaterAsync(base.PrepareContainerAsync(spec));

        public override Task<LegOutput> RunLegAsync(LegInput leg) =>
            LaterAsync(leg.Leg == 2 && _lost.Add(leg.Assignment.Worker) ? Task.FromException<LegOutput>(new LegLostException("killed")) : base.RunLegAsync(leg));

        public override Task<Verification> VerifyAsync(PreparedContainer container) => LaterAsync(base.VerifyAsync(container));

        public override Task<RunOutcome> SaveReportAsync(RunEnding ending) => LaterAsync(base.SaveReportAsync(ending));

        private Task<T> LaterAsync<T>(Task<T> answer)
        {
            Threads.Enqueue(Environment.CurrentManagedThreadId);
            var later = new TaskCompletionSource<T>();
            context.Post(_ => later.SetFromTask(answer), null);
            return later.Task;
        }
    }

    private sealed class PumpContext : SynchronizationContext
    {
        private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _queue = [];

        public override void Post(SendOrPostCallback d, object? state) => _queue.Add((d, state));

        public void PumpUntil(Task task)
        {
            while (!task.IsCompleted)
            {
                if (!_queue.TryTake(out var work, TimeSpan.FromSeconds(10)))
                    throw new TimeoutException("The orchestration waits for something that is not the port's.");
                work.Callback(work.State);
            }
        }
    }
}
