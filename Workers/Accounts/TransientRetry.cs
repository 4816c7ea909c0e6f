namespace ScaleOut.Workers.Accounts;

internal static class TransientRetry
{
    /// <summary>Errors that end within this time are not reported.</summary>
    public static readonly TimeSpan QuietTime = TimeSpan.FromSeconds(3);

    private static readonly TimeSpan UsualMaxPause = TimeSpan.FromSeconds(8);

    /// <summary>Repeats a call until it succeeds, fails for good, or has failed for longer than <paramref name="limit"/>.</summary>
    /// <param name="limit">Time since the first call after which a failure is final.</param>
    /// <param name="pause">Time before the second call. It doubles up to <paramref name="maxPause"/>.</param>
    /// <param name="alsoTransient">Errors to retry besides the transient ones of the account.</param>
    /// <param name="onRetry">
    /// Receives each retried error once errors have gone on for longer than <see cref="QuietTime"/>. Optional.
    /// </param>
    /// <param name="maxPause">Null for 8 s.</param>
    public static async Task<T> RetryAsync<T>(
        Func<CancellationToken, Task<T>> callAsync,
        TimeSpan limit,
        TimeSpan pause,
        CancellationToken cancellationToken,
        Func<Exception, bool>? alsoTransient = null,
        Func<Exception, Task>? onRetry = null,
        TimeSpan? maxPause = null)
    {
        var longest = maxPause ?? UsualMaxPause;
        var begun = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return await callAsync(cancellationToken);
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested
                && Stopwatch.GetElapsedTime(begun) < limit
                && (AccountErrors.IsTransient(e) || alsoTransient?.Invoke(e) == true))
            {
                if (onRetry is not null && Stopwatch.GetElapsedTime(begun) + pause > QuietTime)
                    await onRetry(e);
                await Task.Delay(pause, cancellationToken);
                pause = pause < longest / 2 ? pause * 2 : longest;
            }
        }
    }
}
