using System.Diagnostics;
using ScaleOut.DevBox.Engine;

namespace ScaleOut.DevBox.Accounts;

/// <summary>Tells when a run's account has been left behind: nothing was asked of it for long, and no process runs its run.</summary>
internal sealed class AccountIdleness(Func<long> countRequests, string lockFile, TimeSpan patience)
{
    /// <summary>How long an account waits for its run to be resumed.</summary>
    public static readonly TimeSpan DefaultPatience = TimeSpan.FromMinutes(10);

    /// <summary>Ends when the account is idle.</summary>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        var seen = -1L;
        var since = Stopwatch.GetTimestamp();
        while (true)
        {
            var requests = countRequests();
            if (requests != seen)
                (seen, since) = (requests, Stopwatch.GetTimestamp());
            else if (Stopwatch.GetElapsedTime(since) >= patience && !RunLock.IsTaken(lockFile))
                return;
            await Task.Delay(patience / 20, cancellationToken);
        }
    }
}
