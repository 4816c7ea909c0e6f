namespace ScaleOut.DevBox.Commands;

/// <summary>
/// What <c>experiment</c>, <c>limit</c>, <c>calibrate</c> and <c>resume</c> share: a claimed experiment with its display, its signals, its
/// summary and its exit code.
/// </summary>
/// <param name="stop">What Ctrl+C has stopped since before the experiment was claimed.</param>
internal sealed class ExperimentExecution(
    CommandInput input, RunFolder folder, AccountConnection? account, TableAccount? tables, ExperimentStop stop)
{
    /// <summary>Measures an experiment, and returns the exit code.</summary>
    /// <param name="condition">Under which a complete experiment fails; null for none.</param>
    public async Task<int> RunAsync(ReportOutput output, ExperimentSpec spec, FailIfExpression? condition)
    {
        if (await MeasureAsync(output, spec) is not { } measured)
            return ExitCode.Incomplete;
        await output.WriteFilesAsync(input, folder, measured.Page);
        var ofReport = await output.ExitCodeOfAsync(input, condition, measured.Numbers, measured.Invalid, measured.OpenIn);
        return measured.State switch
        {
            ExperimentState.Complete => ofReport,
            ExperimentState.Stopped => ExitCode.Stopped,
            _ => ExitCode.Incomplete,
        };
    }

    /// <summary>Measures the remaining runs of an experiment and shows the result. Null after an error, which is reported.</summary>
    public async Task<EndedExperiment?> MeasureAsync(ResultOutput output, ExperimentSpec spec)
    {
        try
        {
            if (account is not null)
                await RunAccounts.UseAsync(folder, account, CancellationToken.None);
            var text = output.Text(input);
            await text.WriteLineAsync(ExperimentHeading.From(spec, account?.Endpoint.Host ?? "simulated account"));
            if (spec.Limit is null)
                await text.WriteLineAsync(
                    $"time: {ExperimentHeading.TimeOf(ExperimentEstimate.From(
                        spec, account is null ? RunTarget.SimulatedAccount : RunTarget.OtherAccount))}");
            var lines = new ExperimentLines(text, run => output.Display(input, RunHeading.From(run, account, tables)));
            var outcome = await new LocalExperimentActivities(folder.RunsFolder, spec, account, stop, lines, tables)
                .RunAsync(new RunLog(folder));

            var ended = await EndedExperiment.ReadAsync(spec, folder, outcome.State);
            await ConsolePage.WriteAsync(text, ended.Page, folder);
            if (ended.CanGoOn)
                await text.WriteLineAsync($"go on with: {folder.ResumeCommand}");
            return ended;
        }
        catch (Exception e) when (e is not InputException)
        {
            // An experiment that was killed reports no error of its own.
            if (e is OperationCanceledException && stop.GiveUp.IsCancellationRequested)
                return null;
            ErrorLines.WriteUnexpected(e, folder.OwnLog);
            await Console.Error.WriteLineAsync(JobSignals.GoOn(folder));
            return null;
        }
    }
}

/// <summary>
/// Resumes an experiment with runs left to measure. Measured runs stay; a run that was interrupted or failed is measured
/// again.
/// </summary>
internal static class ExperimentResumption
{
    /// <summary>The claimed experiment, if it is the same one.</summary>
    /// <param name="account">The account that the remaining runs would go to; null for simulated accounts.</param>
    /// <exception cref="InputException">
    /// The experiment has ended, another one has the id, its runs went to another account, its spec cannot be read, or the id is a run's.
    /// </exception>
    public static async Task<ExperimentSpec> ReadSameAsync(
        ExperimentFiles files, RunFolder folder, ExperimentSpec spec, AccountConnection? account, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        if (await files.ReadSpecAsync(cancellationToken) is not { } claimed)
            throw new InputException($"--id: there is a run '{spec.Id}' already in {folder.FullPath}. Choose another id.");
        var read = await ReadUnfinishedAsync(files, folder, claimed, simulated: account is null, tables, cancellationToken);
        if (!JsonNode.DeepEquals(JsonNode.Parse(claimed), JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact)))
        {
            throw new InputException(
                $"--id: there is another experiment '{spec.Id}' already in {folder.FullPath}. Choose another id, or resume it with: "
                + folder.ResumeCommand);
        }

        // Runs on two accounts would be compared as if they had gone to one.
        return await ExperimentAccount.FindOtherAsync(folder, read, account, tables, cancellationToken) is not { } other
            ? read
            : throw new InputException(
                $"--id: experiment '{spec.Id}' goes to {other}, and this command to {ExperimentAccount.NameOf(account)}. Choose another "
                + $"id, or resume it with: {folder.ResumeCommand}");
    }

    /// <summary>The claimed spec of an experiment that has not ended.</summary>
    /// <param name="claimed">Its claimed spec as JSON.</param>
    /// <param name="simulated">Whether each run has a simulated account of its own.</param>
    /// <exception cref="InputException">The experiment has ended, or its spec cannot be read.</exception>
    public static async Task<ExperimentSpec> ReadUnfinishedAsync(
        ExperimentFiles files, RunFolder folder, byte[] claimed, bool simulated, TableAccount? tables,
        CancellationToken cancellationToken)
    {
        var file = Path.Combine(folder.FullPath, ExperimentFiles.SpecName);
        var target = simulated ? RunTarget.Undecided : RunTarget.OtherAccount;
        var spec = ExperimentOptions.Read(Encoding.UTF8.GetString(claimed), file, target);
        var left = await UnmeasuredRuns.FindAsync(
            new FolderRunStore(folder.RunsFolder), spec, run => LocalExperimentActivities.AsClaimed(run, simulated, tables),
            cancellationToken);
        if (left.Count > 0)
            ExperimentOptions.CheckMachine(spec, file, target);
        else if (await files.ReadStatusAsync(cancellationToken) is { Outcome.State: not ExperimentState.Stopped }
            && await files.FindReportDamageAsync(cancellationToken) is null)
            throw new InputException($"experiment '{folder.RunId}' has ended; its report is {folder.ReportPage}.");
        return spec;
    }
}
