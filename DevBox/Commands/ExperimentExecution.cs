namespace ScaleOut.DevBox.Commands;

/// <summary>
/// What <c>experiment</c> and <c>resume</c> share: a claimed experiment with its display, its signals, its summary and its exit code.
/// </summary>
internal static class ExperimentExecution
{
    private const string ShowCursor = "\u001b[?25h";

    /// <summary>Measures an experiment, and ends as it ended.</summary>
    /// <param name="spec">Claimed, with its id.</param>
    /// <param name="condition">Under which a complete experiment fails; null for none.</param>
    /// <param name="account">Null for simulated accounts.</param>
    /// <param name="tables">Where runs go that write to tables; null where there is none.</param>
    public static async Task<int> RunAsync(
        CommandInput input,
        ReportOutput output,
        ExperimentSpec spec,
        RunFolder folder,
        FailIfCondition? condition,
        AccountConnection? account,
        TableAccount? tables) =>
        await MeasureAsync(input, output, spec, folder, account, tables) is { } measured
            ? await EndAsync(input, output, measured, condition)
            : ExitCode.Incomplete;

    /// <summary>Writes the report's JSON where the command line wants it, and gives the exit code.</summary>
    /// <param name="condition">Under which a complete experiment fails; null for none.</param>
    public static async Task<int> EndAsync(CommandInput input, ReportOutput output, EndedExperiment measured, FailIfCondition? condition)
    {
        await output.WriteJsonAsync(input, measured.Json);
        var holds = condition?.Holds(measured.Numbers) ?? false;
        if (holds)
            ErrorLines.Write([$"--fail-if holds: {condition!.Text}"]);
        return measured.State switch
        {
            ExperimentState.Complete => holds ? ExitCode.FailIfHolds : ExitCode.Complete,
            ExperimentState.Stopped => ExitCode.Stopped,
            _ => ExitCode.Incomplete,
        };
    }

    /// <summary>Measures what is left of an experiment and shows what came of it; null after an error, which is reported.</summary>
    /// <param name="spec">Claimed, with its id.</param>
    /// <param name="account">Null for simulated accounts.</param>
    /// <param name="tables">Where runs go that write to tables; null where there is none.</param>
    public static async Task<EndedExperiment?> MeasureAsync(
        CommandInput input, ReportOutput output, ExperimentSpec spec, RunFolder folder, AccountConnection? account, TableAccount? tables)
    {
        try
        {
            if (account is not null)
                await RunAccounts.UseAsync(folder, account, CancellationToken.None);
            using var stop = new ExperimentStop();
            using var signals = StopSignals.Listen(
                onFirst: stop.Request,
                onSecond: () =>
                {
                    stop.Kill();
                    if (!Console.IsOutputRedirected)
                        Console.Out.Write(ShowCursor);
                    Environment.Exit(ExitCode.Stopped);
                });

            var text = output.Text(input);
            var place = account is null ? "simulated account" : account.Endpoint.Host;
            await text.WriteLineAsync(ExperimentHeading.From(spec, place));
            if (spec.Limit is null)
                await text.WriteLineAsync(
                    $"time: {ExperimentHeading.TimeOf(ExperimentEstimate.From(
                        spec, account is null ? RunTarget.SimulatedAccount : RunTarget.OtherAccount))}");
            var lines = new ExperimentLines(text, run => output.Display(input, RunHeading.From(run, account, tables)));
            var outcome = await new LocalExperimentActivities(folder.RunsFolder, spec, account, stop, lines, tables)
                .RunAsync(new RunLog(folder));

            var json = await new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId)
                .ReadReportAsync(RunFiles.ReportName, CancellationToken.None)
                ?? throw new InvalidOperationException($"The report of experiment '{folder.RunId}' is not in its folder.");
            var (page, numbers) = Read(spec, json);
            await ConsolePage.WriteAsync(text, page, folder);
            if (outcome.State != ExperimentState.Complete)
                await text.WriteLineAsync($"go on with: resume {folder.RunId} --out {folder.RunsFolder}");
            return new EndedExperiment(outcome.State, json, numbers);
        }
        catch (Exception e) when (e is not InputException)
        {
            ErrorLines.WriteUnexpected(e, folder.OwnLog);
            await Console.Error.WriteLineAsync($"Once the cause is mended, go on with: resume {folder.RunId} --out {folder.RunsFolder}");
            return null;
        }
    }

    /// <summary>What the report shows to people, and the numbers that a condition may name.</summary>
    private static (ReportPage Page, IReadOnlyDictionary<string, double?> Numbers) Read(ExperimentSpec spec, byte[] json)
    {
        if (spec.Limit is not null)
        {
            var found = LimitForms.Kind.Read(json);
            return (LimitForms.Kind.PageOf(found), LimitNumbers.OfSearch(found));
        }

        var report = ExperimentForms.Kind.Read(json);
        return (ExperimentForms.Kind.PageOf(report), ExperimentNumbers.From(report));
    }
}

/// <summary>How an experiment ended.</summary>
/// <param name="State">Complete, incomplete or stopped.</param>
/// <param name="Numbers">That a condition may name.</param>
internal sealed record EndedExperiment(ExperimentState State, byte[] Json, IReadOnlyDictionary<string, double?> Numbers);
