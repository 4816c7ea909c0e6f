namespace ScaleOut.Tests.Support;

/// <summary>A context with one thread, as a durable engine has. Work that leaves it makes the test fail.</summary>
internal sealed class PumpContext : SynchronizationContext
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _queue = [];

    /// <summary>Runs work to its end on the caller's thread, and returns what it noted.</summary>
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

    /// <summary>A task that ends with another, but later, on this context's thread; the thread of the call is noted.</summary>
    public Task<T> LaterAsync<T>(Task<T> task, List<int> threads)
    {
        threads.Add(Environment.CurrentManagedThreadId);
        var later = new TaskCompletionSource<T>();
        Post(_ => later.SetFromTask(task), null);
        return later.Task;
    }

    public override void Post(SendOrPostCallback d, object? state) => _queue.Add((d, state));

    private void PumpUntil(Task task)
    {
        while (!task.IsCompleted)
        {
            if (!_queue.TryTake(out var work, TimeSpan.FromSeconds(10)))
                throw new TimeoutException("The orchestration waits for something that is not the context's.");
            work.Callback(work.State);
        }
    }
}
