namespace ScaleOut.Workers.Accounts;

/// <summary>Repeats calls of an account until they succeed, fail for good, or have failed for too long.</summary>
/// <param name="Limit">Time since the first call after which a failure is final.</param>
/// <param name="FirstPause">Time before the second call. It doubles up to <see cref="MaxPause"/>.</param>
internal sealed record TransientRetry(TimeSpan Limit, TimeSpan FirstPause)
{
    /// <summary>Errors that end within this time are not reported.</summary>
    public static readonly TimeSpan QuietTime = TimeSpan.FromSeconds(3);

    public TimeSpan MaxPause { get; init; } = TimeSpan.FromSeconds(8);

    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <param name="alsoTransient">Errors to retry besides the transient ones of the account.</param>
    /// <param name="onRetry">
    /// Receives each retried error once errors have gone on for longer than <see cref="QuietTime"/>. Optional.
    /// </param>
    public async Task<T> RunAsync<T>(
        Func<CancellationToken, Task<T>> callAsync,
        CancellationToken cancellationToken,
        Func<Exception, bool>? alsoTransient = null,
        Func<Exception, Task>? onRetry = null)
    {
        var (begun, pause) = (Time.GetTimestamp(), FirstPause);
        while (true)
        {
            try
            {
                return await callAsync(cancellationToken);
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested
                && Time.GetElapsedTime(begun) < Limit
                && (AccountErrors.IsTransient(e) || alsoTransient?.Invoke(e) == true))
            {
                if (onRetry is not null && Time.GetElapsedTime(begun) + pause > QuietTime)
                    await onRetry(e);
                await Task.Delay(pause, Time, cancellationToken);
                pause = pause < MaxPause / 2 ? pause * 2 : MaxPause;
            }
        }
    }
}
