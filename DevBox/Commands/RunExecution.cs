namespace ScaleOut.DevBox.Commands;

/// <summary>What <c>run</c> and <c>resume</c> share: a claimed run with its display, its signals, its summary and its exit code.</summary>
internal static class RunExecution
{
    /// <param name="prices">For the cost in the report of a run on a real account; null for none.</param>
    /// <param name="claimAsync">
    /// Claims a run that was not started before, when Ctrl+C is listened to: if it cannot start, its folder is deleted. Null for a run that
    /// is resumed.
    /// </param>
    public static async Task<int> RunAsync(
        CommandInput input, ReportOutput output, RunSpec spec, RunFolder folder, FailIfCondition? condition,
        Func<CancellationToken, Task<RunAccount>> openAccount, PriceList? prices = null, Uri? otlp = null,
        Func<Task<RunLock>>? claimAsync = null)
    {
        RunSession? session = null;
        RunAccount? account = null;
        RunLock? newRun = null;
        var deletesFolder = false;
        using var giveUp = new CancellationTokenSource();
        try
        {
            var stopped = false;
            using var signals = JobSignals.Listen(
                stop: () =>
                {
                    stopped = true;
                    session?.Stop();
                },
                kill: () =>
                {
                    // An account that is just being started does not belong to the session yet.
                    giveUp.Cancel();
                    session?.Kill();
                });

            newRun = claimAsync is null ? null : await claimAsync();
            account = await openAccount(giveUp.Token);
            await using var opened = session = new RunSession(spec, folder, account, prices, otlp);
            if (stopped)
                session.Stop();

            var display = output.Display(
                input, RunHeading.From(spec, account.Connection.Simulated ? null : account.Connection.Endpoint));
            var result = await display.ShowWhileAsync(session.Tally, session.RunAsync());
            deletesFolder = newRun is not null && await CreatedNothingAsync(result, folder);
            if (deletesFolder)
            {
                ErrorLines.Write(result.Outcome.Reasons);
                ErrorLines.Write(["nothing was written, and nothing is kept. Once the cause is removed, start the run again."]);
                return ExitCode.BadInput;
            }

            await output.WriteFilesAsync(input, folder, RunForms.Kind.PageOf(result.Report));
            await WriteSummaryAsync(output.Text(input), result, folder);
            if (result.Outcome.MissesLegs)
                ErrorLines.Write([$"legs are missing, and the run has not ended. {GoOn(folder, account)}"]);
            return await ExitCodeOfAsync(result, () => output.ExitCodeOfAsync(input, condition, result.Report));
        }
        catch (InputException) when (newRun is not null && session is null)
        {
            deletesFolder = true;
            throw;
        }
        catch (NothingChangedException e)
        {
            ErrorLines.Write([.. e.Outcome.Reasons, $"nothing of run '{folder.RunId}' was changed. {GoOn(folder, account)}"]);
            return e.Outcome.State == RunState.Stopped ? ExitCode.Stopped : ExitCode.BadInput;
        }
        catch (OperationCanceledException) when (giveUp.IsCancellationRequested)
        {
            // The user interrupted the start, so no error is reported.
            return ExitCode.Stopped;
        }
        catch (RunFolderGoneException e)
        {
            ErrorLines.Write([e.Message]);
            return ExitCode.Incomplete;
        }
        catch (Exception e) when (e is not InputException)
        {
            ErrorLines.WriteUnexpected(e, folder.OwnLog);
            if (session is not null)
                await Console.Error.WriteLineAsync(GoOn(folder, account));
            return ExitCode.Incomplete;
        }
        finally
        {
            if (deletesFolder)
                TryDeleteFolder(newRun!);
            newRun?.Dispose();
        }
    }

    /// <summary>Whether the container could not be prepared, and none was created.</summary>
    private static async Task<bool> CreatedNothingAsync(RunResult result, RunFolder folder) =>
        result is { Rejected: true, AccountGone: false, Outcome.State: RunState.Failed }
        && !await new RunFiles(new FolderRunStore(folder.RunsFolder), folder.RunId).HoldsContainerAsync(CancellationToken.None);

    private static void TryDeleteFolder(RunLock newRun)
    {
        try
        {
            newRun.DeleteFolder();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // If the folder cannot be deleted, it remains and its id stays in use.
        }
    }

    private static string GoOn(RunFolder folder, RunAccount? account) =>
        JobSignals.GoOn(folder) + (account is { Waits: true } ? $"{Environment.NewLine}{AccountIdleness.WaitText}" : "");

    private static async Task WriteSummaryAsync(TextWriter text, RunResult result, RunFolder folder)
    {
        if (!result.Rejected)
            await ConsolePage.WriteAsync(text, result, folder);

        if (result.Rejected || result.Outcome.State == RunState.Failed)
            ErrorLines.Write(result.Outcome.Reasons);
        if (result is { Rejected: true, Outcome.State: RunState.Failed })
            ErrorLines.Write([$"nothing was written. {GoOn(folder, account: null)}"]);
        if (!result.Ended && !result.Outcome.MissesLegs)
            ErrorLines.Write(
                [
                    "the run's container is not deleted and still costs money; "
                    + (result.Rejected
                        ? "it is used when the run goes on."
                        : $"delete it with: {folder.ResumeCommand}"),
                ]);
    }

    /// <param name="whenVerifiedAsync">The exit code of a complete run that agrees with its ledger.</param>
    private static async Task<int> ExitCodeOfAsync(RunResult result, Func<Task<int>> whenVerifiedAsync)
    {
        var state = result.Outcome.State;
        if (state == RunState.Stopped || (result.StoppedByUser && state != RunState.Complete))
            return ExitCode.Stopped;
        if (result.Rejected && !result.AccountGone)
            return ExitCode.BadInput;

        var ofReport = await whenVerifiedAsync();
        var isVerified = state == RunState.Complete && result.Ended && result.Ledger is not { Differences.Count: > 0 };
        return isVerified ? ofReport : ExitCode.Incomplete;
    }
}
