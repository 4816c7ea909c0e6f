namespace ScaleOut.DevBox.Commands;

/// <summary>
/// What <c>experiment</c> and <c>resume</c> share: a claimed experiment with its display, its signals, its summary and its exit code.
/// </summary>
internal static class ExperimentExecution
{
    private const string ShowCursor = "\u001b[?25h";

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
            await text.WriteLineAsync(
                spec.Limit is { } limit
                    ? LimitLines.Heading(spec, limit, place)
                    : $"experiment {spec.Id}: {ConsoleNumbers.Count(spec.Variants.Count)} variants x {ConsoleNumbers.Count(spec.Repeats)}"
                        + $"{(spec.Scale == 1 ? "" : $", scaled to {spec.Scale}")}, {place}");
            if (spec.Limit is null)
                await text.WriteLineAsync(
                    $"time: {ExperimentSummary.TimeOf(ExperimentEstimate.From(
                        spec, account is null ? RunTarget.SimulatedAccount : RunTarget.OtherAccount))}");
            var lines = new ExperimentLines(text, run => output.Display(input, RunHeading.From(run, account, tables)));
            var outcome = await new LocalExperimentActivities(folder.RunsFolder, spec, account, stop, lines, tables)
                .RunAsync(new RunLog(folder));

            var json = await new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId)
                .ReadReportAsync(RunFiles.ReportName, CancellationToken.None)
                ?? throw new InvalidOperationException($"The report of experiment '{folder.RunId}' is not in its folder.");
            var (summary, numbers) = Read(spec, json, folder);
            foreach (var line in summary)
                await text.WriteLineAsync(line);
            if (outcome.State != ExperimentState.Complete)
                await text.WriteLineAsync($"  go on with     resume {folder.RunId} --out {folder.RunsFolder}");
            return new EndedExperiment(outcome.State, json, numbers);
        }
        catch (Exception e) when (e is not InputException)
        {
            ErrorLines.WriteUnexpected(e, folder.OwnLog);
            await Console.Error.WriteLineAsync($"Once the cause is mended, go on with: resume {folder.RunId} --out {folder.RunsFolder}");
            return null;
        }
    }

    /// <summary>The lines for the console, and the numbers that a condition may name.</summary>
    private static (IEnumerable<string> Summary, IReadOnlyDictionary<string, double?> Numbers) Read(
        ExperimentSpec spec, byte[] json, RunFolder folder)
    {
        if (spec.Limit is not null)
        {
            var found = LimitReportWriters.Read(json);
            return (LimitLines.Summary(found, folder.ReportPage), LimitNumbers.OfSearch(found));
        }

        var report = ExperimentJsonWriter.Read(json);
        return (ExperimentSummary.From(report, folder.ReportPage), ExperimentNumbers.From(report));
    }
}

/// <summary>How an experiment ended.</summary>
/// <param name="State">Complete, incomplete or stopped.</param>
/// <param name="Numbers">That a condition may name.</param>
internal sealed record EndedExperiment(ExperimentState State, byte[] Json, IReadOnlyDictionary<string, double?> Numbers);
