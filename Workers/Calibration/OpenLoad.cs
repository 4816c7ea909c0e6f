using System.Diagnostics;

namespace ScaleOut.Workers.Calibration;

/// <summary>Begins operations at a steady rate, however long each takes, and waits for the last of them.</summary>
internal static class OpenLoad
{
    /// <summary>What keeps a stalled account from being sent more and more.</summary>
    private const int MostInFlight = 512;

    /// <summary>Runs for a time.</summary>
    /// <param name="perSecond">Operations, above 0.</param>
    /// <param name="duration">How long operations are begun.</param>
    /// <param name="operateAsync">Does the n-th operation; false ends the load.</param>
    /// <param name="cancellationToken">Ends it early, with an <see cref="OperationCanceledException"/>.</param>
    public static async Task RunAsync(
        double perSecond, TimeSpan duration, Func<int, Task<bool>> operateAsync, CancellationToken cancellationToken)
    {
        var started = Stopwatch.GetTimestamp();
        var inFlight = new HashSet<Task<bool>>();
        var ended = false;
        for (var n = 0; !ended; n++)
        {
            var due = TimeSpan.FromSeconds(n / perSecond);
            if (due >= duration)
                break;
            if (due - Stopwatch.GetElapsedTime(started) is { Ticks: > 0 } early)
                await Task.Delay(early, cancellationToken);
            cancellationToken.ThrowIfCancellationRequested();
            while (inFlight.Count >= MostInFlight)
                await Task.WhenAny(inFlight);
            // A task of its own, so that what the SDK does before its first wait does not hold up the schedule.
            var number = n;
            inFlight.Add(Task.Run(() => operateAsync(number), CancellationToken.None));
            foreach (var done in inFlight.Where(task => task.IsCompleted).ToList())
            {
                ended |= !await done;
                inFlight.Remove(done);
            }
        }

        await Task.WhenAll(inFlight);
    }
}
