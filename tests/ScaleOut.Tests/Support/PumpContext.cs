using System.Collections.Concurrent;

namespace ScaleOut.Tests.Support;

/// <summary>A context with one thread, as a durable engine has: what leaves it waits for ever, which is told.</summary>
internal sealed class PumpContext : SynchronizationContext
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _queue = [];

    /// <summary>Runs work to its end on the caller's thread, and gives what it noted.</summary>
    public static T Run<T>(Func<PumpContext, (Task Work, T Noted)> start)
    {
        var before = Current;
        var context = new PumpContext();
        SetSynchronizationContext(context);
        try
        {
            var (work, noted) = start(context);
            context.PumpUntil(work);
            Assert.True(work.IsCompletedSuccessfully);
            return noted;
        }
        finally
        {
            SetSynchronizationContext(before);
        }
    }

    public override void Post(SendOrPostCallback d, object? state) => _queue.Add((d, state));

    private void PumpUntil(Task task)
    {
        while (!task.IsCompleted)
        {
            if (!_queue.TryTake(out var work, TimeSpan.FromSeconds(10)))
                throw new TimeoutException("The orchestration waits for something that is not the port's.");
            work.Callback(work.State);
        }
    }
}
