namespace ScaleOut.DevBox.Accounts;

/// <summary>
/// Runs inside a run's account process. The process outlives the run's program, so that the run can be resumed, until it is idle for long.
/// </summary>
internal static class AccountHost
{
    private static readonly TimeSpan LockPoll = TimeSpan.FromSeconds(0.25);

    /// <summary>Serves until a shutdown is requested, or until the account has been idle for too long.</summary>
    public static async Task<int> RunAsync(TextReader input, TextWriter output)
    {
        var terminated = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var signals = StopSignals.Ignore(onTerminate: () => terminated.TrySetResult());
        if (await input.ReadLineAsync() is not { } line || ProcessLines.Read<AccountHandshakeRequest>(line) is not { } handshakeRequest)
            throw new InputException("account --run: this option is for the program's own use.");

        SimulatedAccount account;
        try
        {
            account = await SimulatedAccount.StartAsync(AccountSettings.From(handshakeRequest.Simulation, handshakeRequest.Seed));
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
        AccountIdleness idle = new(() => account.ReadLedger().WireRequests, lockFile, AccountIdleness.DefaultTimeout, TimeProvider.System);
        await Task.WhenAny(account.ShutdownRequested, OrphanedAsync(terminated, lockFile, ended.Token), idle.WaitAsync(ended.Token));
        await ended.CancelAsync();
    }

    /// <summary>
    /// Completes when the process has received SIGTERM and the run's program has exited. While that program runs, it stops the account
    /// itself.
    /// </summary>
    private static async Task OrphanedAsync(Task terminated, string lockFile, CancellationToken cancellationToken)
    {
        await terminated.WaitAsync(cancellationToken);
        while (RunLock.IsTaken(lockFile))
            await Task.Delay(LockPoll, cancellationToken);
    }
}
