using System.Diagnostics;

namespace ScaleOut.Workers.Calibration;

/// <summary>Begins operations at a steady rate, however long each takes, and waits for the last of them.</summary>
internal static class OpenLoad
{
    /// <summary>What keeps a stalled account from being sent more and more.</summary>
    public const int MostInFlight = 512;

    /// <summary>Runs for a time. Whatever ends it, no operation goes on when this returns.</summary>
    /// <param name="perSecond">Operations, above 0.</param>
    /// <param name="duration">How long operations are begun.</param>
    /// <param name="kinds">Kinds of operations, 1 and more.</param>
    /// <param name="operateAsync">
    /// Does the n-th operation, of a kind from 0; false ends the load. There are as many of each kind, in random order: in a fixed one the
    /// same kinds would always meet.
    /// </param>
    /// <param name="cancellationToken">Ends it early, with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>Whether no operation has ended it.</returns>
    public static async Task<bool> RunAsync(
        double perSecond, TimeSpan duration, int kinds, Func<int, int, Task<bool>> operateAsync, CancellationToken cancellationToken)
    {
        var count = Math.Max(1, (int)Math.Round(perSecond * duration.TotalSeconds));
        var order = Enumerable.Range(0, count).Select(n => n % kinds).ToArray();
        new Random(kinds).Shuffle(order);
        var started = Stopwatch.GetTimestamp();
        var inFlight = new HashSet<Task<bool>>();
        try
        {
            foreach (var (n, kind) in order.Index())
            {
                if (TimeSpan.FromSeconds(n / perSecond) - Stopwatch.GetElapsedTime(started) is { Ticks: > 0 } early)
                    await Task.Delay(early, cancellationToken);
                cancellationToken.ThrowIfCancellationRequested();
                // A task of its own, so that what the SDK does before its first wait does not hold up the schedule.
                inFlight.Add(Task.Run(() => operateAsync(n, kind), CancellationToken.None));
                while (inFlight.Count >= MostInFlight && !inFlight.Any(task => task.IsCompleted))
                    await Task.WhenAny(inFlight).WaitAsync(cancellationToken);
                if (!await TakeEndedAsync(inFlight))
                    return false;
            }

            return (await Task.WhenAll(inFlight)).All(goesOn => goesOn);
        }
        finally
        {
            await ((Task)Task.WhenAll(inFlight)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static async Task<bool> TakeEndedAsync(HashSet<Task<bool>> inFlight)
    {
        var goesOn = true;
        foreach (var ended in inFlight.Where(task => task.IsCompleted).ToList())
        {
            goesOn &= await ended;
            inFlight.Remove(ended);
        }

        return goesOn;
    }
}
