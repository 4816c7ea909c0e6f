namespace ScaleOut.DevBox.Accounts;

/// <summary>Detects an orphaned account: it has received no requests for the timeout, and no process executes its run.</summary>
internal sealed class AccountIdleness(Func<long> countRequests, string lockFile, TimeSpan timeout, TimeProvider time)
{
    /// <summary>How long an account waits for its run to be resumed.</summary>
    public static readonly TimeSpan DefaultTimeout = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Share of the timeout for an account that never got a request, which is 10 s by default. Its run has nothing in it yet, so a resumed
    /// run starts another account.
    /// </summary>
    private const double ShareUnused = 1 / 60.0;

    /// <summary>What the wait means for a user who resumes a run.</summary>
    public static readonly string WaitText =
        $"The simulated account, with the documents in it, waits for {DefaultTimeout.TotalMinutes} minutes; after that the run cannot be "
        + "resumed.";

    /// <summary>Completes when the account is idle.</summary>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        var seen = -1L;
        var since = time.GetTimestamp();
        while (true)
        {
            var requests = countRequests();
            if (requests != seen)
                (seen, since) = (requests, time.GetTimestamp());
            else if (time.GetElapsedTime(since) >= (seen == 0 ? timeout * ShareUnused : timeout) && !RunLock.IsTaken(lockFile))
                return;
            await Task.Delay(seen == 0 ? timeout * ShareUnused / 10 : timeout / 20, time, cancellationToken);
        }
    }
}
