namespace ScaleOut.Workers.Accounts;

/// <summary>Tries again what may succeed a little later.</summary>
internal static class TransientRetry
{
    /// <summary>Errors that are over within this time are not reported.</summary>
    public static readonly TimeSpan QuietTime = TimeSpan.FromSeconds(3);

    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(8);

    /// <summary>Calls until it succeeds, fails for good, or has failed for longer than <paramref name="limit"/>.</summary>
    /// <param name="limit">Time since the first call after which a failure is final.</param>
    /// <param name="pause">Time before the second call; it doubles up to 8 s.</param>
    /// <param name="alsoTransient">Errors to try again besides the transient ones of the account.</param>
    /// <param name="onRetry">Receives each error that is tried again once errors have gone on for longer than <see cref="QuietTime"/>; null
    /// for none.</param>
    public static async Task<T> RetryAsync<T>(
        Func<CancellationToken, Task<T>> callAsync,
        TimeSpan limit,
        TimeSpan pause,
        CancellationToken cancellationToken,
        Func<Exception, bool>? alsoTransient = null,
        Func<Exception, Task>? onRetry = null)
    {
        var begun = TimeProvider.System.GetTimestamp();
        var deadline = TimeProvider.System.GetTimestamp() + (long)(limit.TotalSeconds * TimeProvider.System.TimestampFrequency);
        while (true)
        {
            try
            {
                return await callAsync(cancellationToken);
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested
                && TimeProvider.System.GetTimestamp() < deadline
                && (AccountErrors.IsTransient(e) || alsoTransient?.Invoke(e) == true))
            {
                if (onRetry is not null && TimeProvider.System.GetElapsedTime(begun) + pause > QuietTime)
                    await onRetry(e);
                await Task.Delay(pause, cancellationToken);
                pause = pause < MaxPause / 2 ? pause * 2 : MaxPause;
            }
        }
    }
}
