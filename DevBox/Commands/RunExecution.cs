namespace ScaleOut.DevBox.Commands;

/// <summary>What <c>run</c> and <c>resume</c> share: a claimed run with its display, its signals, its summary and its exit code.</summary>
internal static class RunExecution
{
    public static async Task<int> RunAsync(
        CommandInput input, ReportOutput output, RunSpec spec, RunFolder folder, FailIfCondition? condition,
        Func<CancellationToken, Task<RunAccount>> openAccount, Uri? otlp = null)
    {
        RunSession? session = null;
        RunAccount? account = null;
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

            account = await openAccount(giveUp.Token);
            await using var opened = session = new RunSession(spec, folder, account, otlp);
            if (stopped)
                session.Stop();

            var display = output.Display(input, RunHeading.From(spec, account.Connection.Simulated ? null : account.Connection.Endpoint));
            var result = await display.ShowWhileAsync(session.Tally, session.RunAsync());
            await output.WriteJsonAsync(input, folder);
            await WriteSummaryAsync(output.Text(input), result, folder);
            if (result.Outcome.MissesLegs)
                ErrorLines.Write([$"legs are missing, and the run has not ended. {GoOn(folder, account)}"]);
            return await ExitCodeOfAsync(output.Text(input), result, condition);
        }
        catch (LeftAsItWasException e)
        {
            ErrorLines.Write([.. e.Outcome.Reasons, $"nothing of run '{folder.RunId}' was changed. {GoOn(folder, account)}"]);
            return e.Outcome.State == RunState.Stopped ? ExitCode.Stopped : ExitCode.BadInput;
        }
        catch (OperationCanceledException) when (giveUp.IsCancellationRequested)
        {
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
                    "the run's container is not deleted and goes on to cost money; "
                    + (result.Rejected
                        ? "it is used when the run goes on."
                        : $"delete it with: resume {folder.RunId} --out {folder.RunsFolder}"),
                ]);
    }

    private static async Task<int> ExitCodeOfAsync(TextWriter text, RunResult result, FailIfCondition? condition)
    {
        var state = result.Outcome.State;
        if (state == RunState.Stopped || (result.StoppedByUser && state != RunState.Complete))
            return ExitCode.Stopped;
        if (result.Rejected && !result.AccountGone)
            return ExitCode.BadInput;

        var holds = await JobSignals.FailIfHoldsAsync(condition, ReportNumbers.From(result.Report), text);
        var isSure = state == RunState.Complete && result.Ended && result.Ledger is not { Differences.Count: > 0 };
        return !isSure ? ExitCode.Incomplete : holds ? ExitCode.FailIfHolds : ExitCode.Complete;
    }
}
