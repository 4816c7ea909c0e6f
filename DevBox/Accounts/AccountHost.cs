namespace ScaleOut.DevBox.Accounts;

/// <summary>
/// Runs inside a run's account process. The process outlives the run's program, so that the run can be resumed, until it is idle for long.
/// </summary>
internal static class AccountHost
{
    private static readonly TimeSpan LockPoll = TimeSpan.FromSeconds(0.25);

    /// <summary>Serves until the account is asked to end, or until nobody uses it any more.</summary>
    public static async Task<int> RunAsync(TextReader input, TextWriter output)
    {
        var terminated = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var signals = StopSignals.Ignore(onTerminate: () => terminated.TrySetResult());
        if (await input.ReadLineAsync() is not { } line || ProcessLines.Read<AccountHandshakeRequest>(line) is not { } handshakeRequest)
            throw new InputException("account --run: this option is for the program's own use.");

        SimulatedAccount account;
        try
        {
            account = await SimulatedAccount.StartAsync(SimulatedAccountOptions.From(handshakeRequest.Simulation, handshakeRequest.Seed));
        }
        catch (Exception e)
        {
            await Console.Error.WriteLineAsync(e.ToString());
            await output.WriteLineAsync(ProcessLines.Write(new AccountHandshakeResponse { Error = OneLine.From(e.Message) }));
            return ExitCode.Incomplete;
        }

        await using (account)
        {
            await output.WriteLineAsync(ProcessLines.Write(new AccountHandshakeResponse
            {
                Endpoint = account.HttpsEndpoint,
                ControlEndpoint = account.ControlEndpoint,
                Key = account.Key,
                CertificateThumbprint = account.CertificateThumbprint,
            }));
            await output.FlushAsync();
            await ServeAsync(account, handshakeRequest.LockFile, terminated.Task);
        }

        return ExitCode.Complete;
    }

    private static async Task ServeAsync(SimulatedAccount account, string lockFile, Task terminated)
    {
        using var ended = new CancellationTokenSource();
        var idleness = new AccountIdleness(() => account.ReadLedger().WireRequests, lockFile, AccountIdleness.DefaultTimeout);
        await Task.WhenAny(account.ShutdownRequested, LeftAsync(terminated, lockFile, ended.Token), idleness.WaitAsync(ended.Token));
        await ended.CancelAsync();
    }

    /// <summary>
    /// Completes when the process was asked to end and the run's program is gone. While that program lives, it stops the account itself.
    /// </summary>
    private static async Task LeftAsync(Task terminated, string lockFile, CancellationToken cancellationToken)
    {
        await terminated.WaitAsync(cancellationToken);
        while (RunLock.IsTaken(lockFile))
            await Task.Delay(LockPoll, cancellationToken);
    }
}

/// <summary>Detects that a run's account has been left behind: nothing was asked of it for long, and no process runs its run.</summary>
internal sealed class AccountIdleness(Func<long> countRequests, string lockFile, TimeSpan timeout)
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
        var since = Stopwatch.GetTimestamp();
        while (true)
        {
            var requests = countRequests();
            if (requests != seen)
                (seen, since) = (requests, Stopwatch.GetTimestamp());
            else if (Stopwatch.GetElapsedTime(since) >= (seen == 0 ? timeout * ShareUnused : timeout) && !RunLock.IsTaken(lockFile))
                return;
            await Task.Delay(seen == 0 ? timeout * ShareUnused / 10 : timeout / 20, cancellationToken);
        }
    }
}

/// <summary>What <c>account</c> prints when the account takes requests: how to reach it.</summary>
internal static class AccountReadiness
{
    /// <summary>For people.</summary>
    public static string Text(SimulatedAccount account, string? dataFolder) => $"""
        The simulated account is running. Ctrl+C ends it{WhatBecomesOfData(dataFolder)}.
          endpoint     {account.HttpsEndpoint}
          over HTTP    {account.HttpEndpoint}
          key          {account.Key}
          certificate  SHA-256 {account.CertificateThumbprint}
          ledger       {new Uri(account.ControlEndpoint, "ledger")}
        """;

    /// <summary>For programs: one line of JSON.</summary>
    public static string Line(SimulatedAccount account) => JsonSerializer.Serialize(
        new
        {
            status = "ready",
            endpoint = account.HttpsEndpoint,
            httpEndpoint = account.HttpEndpoint,
            key = account.Key,
            certificateSha256 = account.CertificateThumbprint,
            certificatePem = account.Certificate.ExportCertificatePem(),
            health = new Uri(account.HttpEndpoint, "health"),
            control = account.ControlEndpoint,
        },
        ScaleOutJson.Compact);

    private static string WhatBecomesOfData(string? folder) =>
        folder is null ? ", and its documents with it" : $" and writes its data to {folder}";
}
