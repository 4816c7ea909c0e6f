namespace ScaleOut.DevBox.Commands;

/// <summary>What <c>run</c> and <c>resume</c> share: a claimed run with its display, its signals, its summary and its exit code.</summary>
/// <param name="condition">Under which a complete run fails; null for none.</param>
internal sealed class RunExecution(CommandInput input, ReportOutput output, RunFolder folder, FailIfExpression? condition)
{
    private RunSession? _session;
    private RunAccount? _account;
    private RunLock? _newRun;
    private bool _deletesFolder;
    private volatile bool _stopped;

    /// <summary>For the cost in the report of a run on a real account; null for none.</summary>
    public PriceList? Prices { get; init; }

    /// <summary>Collector that gets the metrics and spans; null for none.</summary>
    public Uri? Otlp { get; init; }

    /// <summary>
    /// Claims a run that was not started before, when Ctrl+C is listened to: if it cannot start, its folder is deleted. Null for a run that
    /// is resumed.
    /// </summary>
    public Func<Task<RunLock>>? ClaimAsync { get; init; }

    /// <summary>Executes the run, and returns the exit code. Called once.</summary>
    public async Task<int> RunAsync(RunSpec spec, Func<CancellationToken, Task<RunAccount>> openAccount)
    {
        using var giveUp = new CancellationTokenSource();
        try
        {
            return await ExecuteAsync(spec, openAccount, giveUp);
        }
        catch (InputException) when (_newRun is not null && _session is null)
        {
            _deletesFolder = true;
            throw;
        }
        catch (NothingChangedException e)
        {
            ErrorLines.Write([.. e.Outcome.Reasons, $"nothing of run '{folder.RunId}' was changed. {GoOn(_account)}"]);
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
            if (_session is not null)
                await Console.Error.WriteLineAsync(GoOn(_account));
            return ExitCode.Incomplete;
        }
        finally
        {
            if (_deletesFolder)
                TryDeleteFolder(_newRun!);
            _newRun?.Dispose();
        }
    }

    private async Task<int> ExecuteAsync(
        RunSpec spec, Func<CancellationToken, Task<RunAccount>> openAccount, CancellationTokenSource giveUp)
    {
        using var signals = JobSignals.Listen(
            stop: () =>
            {
                _stopped = true;
                _session?.Stop();
            },
            kill: () =>
            {
                // An account that is just being started does not belong to the session yet.
                giveUp.Cancel();
                _session?.Kill();
            });

        _newRun = ClaimAsync is null ? null : await ClaimAsync();
        _account = await openAccount(giveUp.Token);
        await using var session = new RunSession(spec, folder, _account, Prices, Otlp);
        _session = session;
        if (_stopped)
            session.Stop();

        var display = output.Display(
            input, RunHeading.From(spec, _account.Connection.Simulated ? null : _account.Connection.Endpoint));
        return await ConcludeAsync(await display.ShowWhileAsync(session.Tally, session.RunAsync()));
    }

    /// <summary>Writes and shows the result.</summary>
    private async Task<int> ConcludeAsync(RunResult result)
    {
        _deletesFolder = _newRun is not null && await CreatedNothingAsync(result);
        if (_deletesFolder)
        {
            ErrorLines.Write(result.Outcome.Reasons);
            ErrorLines.Write(["nothing was written, and nothing is kept. Once the cause is removed, start the run again."]);
            return ExitCode.BadInput;
        }

        await output.WriteFilesAsync(input, folder, RunForms.Kind.PageOf(result.Report));
        await WriteSummaryAsync(output.Text(input), result);
        if (result.Outcome.MissesLegs)
            ErrorLines.Write([$"legs are missing, and the run has not ended. {GoOn(_account)}"]);
        return await ExitCodeOfAsync(result, () => output.ExitCodeOfAsync(input, condition, result.Report));
    }

    /// <summary>Whether the container could not be prepared, and none was created.</summary>
    private async Task<bool> CreatedNothingAsync(RunResult result) =>
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

    private string GoOn(RunAccount? account) =>
        JobSignals.GoOn(folder) + (account is { Waits: true } ? $"{Environment.NewLine}{AccountIdleness.WaitText}" : "");

    private async Task WriteSummaryAsync(TextWriter text, RunResult result)
    {
        if (!result.Rejected)
            await ConsolePage.WriteAsync(text, result, folder);

        if (result.Rejected || result.Outcome.State == RunState.Failed)
            ErrorLines.Write(result.Outcome.Reasons);
        if (result is { Rejected: true, Outcome.State: RunState.Failed })
            ErrorLines.Write([$"nothing was written. {GoOn(account: null)}"]);
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
