namespace ScaleOut.DevBox.Commands;

/// <summary>
/// What <c>experiment</c>, <c>limit</c>, <c>calibrate</c> and <c>resume</c> share: a claimed experiment with its display, its signals, its
/// summary and its exit code.
/// </summary>
internal static class ExperimentExecution
{
    /// <summary>Measures an experiment, and ends as it ended.</summary>
    /// <param name="condition">Under which a complete experiment fails; null for none.</param>
    public static async Task<int> RunAsync(
        CommandInput input,
        ReportOutput output,
        ExperimentSpec spec,
        RunFolder folder,
        FailIfCondition? condition,
        AccountConnection? account,
        TableAccount? tables) =>
        await MeasureAsync(input, output, spec, folder, account, tables) is { } measured
            ? await EndAsync(input, output, folder, measured, condition)
            : ExitCode.Incomplete;

    /// <summary>Writes the report's JSON where the command line wants it, and gives the exit code.</summary>
    /// <param name="condition">Under which a complete experiment fails; null for none.</param>
    private static async Task<int> EndAsync(
        CommandInput input, ReportOutput output, RunFolder folder, EndedExperiment measured, FailIfCondition? condition)
    {
        await output.WriteJsonAsync(input, folder);
        var holds = JobSignals.FailIfHolds(condition, measured.Numbers);
        return measured.State switch
        {
            ExperimentState.Complete => holds ? ExitCode.FailIfHolds : ExitCode.Complete,
            ExperimentState.Stopped => ExitCode.Stopped,
            _ => ExitCode.Incomplete,
        };
    }

    /// <summary>Measures the remaining runs of an experiment and shows the result. Null after an error, which is reported.</summary>
    public static async Task<EndedExperiment?> MeasureAsync(
        CommandInput input, ReportOutput output, ExperimentSpec spec, RunFolder folder, AccountConnection? account, TableAccount? tables)
    {
        try
        {
            if (account is not null)
                await RunAccounts.UseAsync(folder, account, CancellationToken.None);
            using var stop = new ExperimentStop();
            using var signals = JobSignals.Listen(stop.Request, stop.Kill);
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
                await text.WriteLineAsync($"go on with: resume {folder.RunId} --out {folder.RunsFolder}");
            return ended;
        }
        catch (Exception e) when (e is not InputException)
        {
            ErrorLines.WriteUnexpected(e, folder.OwnLog);
            await Console.Error.WriteLineAsync(JobSignals.GoOn(folder));
            return null;
        }
    }
}
