using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Api.Specs;
using ScaleOut.DevBox.Display;
using ScaleOut.DevBox.Machine;
using ScaleOut.DevBox.Runs;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Validation;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>The draws of <c>experiment --sensitivity</c>, each of them an experiment below the id of the one that they are of.</summary>
/// <param name="spec">The experiment's, with its id.</param>
/// <param name="draws">How many.</param>
/// <param name="scale">Of each draw.</param>
internal sealed class SensitivityExecution(ExperimentSpec spec, int draws, double scale)
{
    private readonly IReadOnlyList<(PhysicsDraw Draw, ExperimentSpec Spec)> _draws =
        [.. SensitivityDraws.From(spec, draws).Select(draw => (draw, SensitivityDraws.ExperimentOf(spec, draw, scale)))];

    /// <summary>Finds out before a long run whether every draw makes a valid experiment that this machine can run.</summary>
    /// <exception cref="InputException">All that is wrong.</exception>
    public void Check()
    {
        var errors = _draws.SelectMany(draw => ErrorsOf(draw.Spec).Select(error => $"--sensitivity: {draw.Spec.Id}: {error}")).ToList();
        if (errors.Count > 0)
            throw new InputException(errors);
    }

    /// <summary>The draws of an experiment that were asked for and are not all measured; null where there are none.</summary>
    public static async Task<SensitivityExecution?> FindUnfinishedAsync(
        ExperimentFiles files, ExperimentSpec spec, CancellationToken cancellationToken)
    {
        if (await files.ReadDrawsAsync(cancellationToken) is not { } asked)
            return null;
        var isDone = await files.ReadReportAsync(SensitivityWriter.JsonName, cancellationToken) is { } json
            && SensitivityWriter.Read(json).Draws.All(draw => draw.State == ExperimentState.Complete);
        return isDone ? null : new SensitivityExecution(spec, asked.Count, asked.Scale);
    }

    /// <summary>Measures the experiment, unless it is measured, and then its draws; ends as they ended.</summary>
    /// <param name="input">The command line.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="claimed">The experiment as it is claimed.</param>
    /// <param name="isMeasured">Whether nothing of it is left to measure.</param>
    /// <param name="folder">Its folder, whose lock is held.</param>
    /// <param name="condition">Under which a complete experiment fails; null for none.</param>
    /// <param name="tables">Where runs go that write to tables; null where there is none.</param>
    /// <exception cref="InputException">The id of a draw is another experiment's.</exception>
    public async Task<int> RunAsync(
        CommandInput input, ReportOutput output, ExperimentSpec claimed, bool isMeasured, RunFolder folder, FailIfCondition? condition,
        TableAccount? tables)
    {
        var files = new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId);
        var asked = new AskedDraws(draws, scale);
        if (await files.ReadDrawsAsync(CancellationToken.None) is { } kept && kept != asked)
            throw new InputException(
                $"--sensitivity: experiment {folder.RunId} has {kept.Count} draws already, or draws of another scale: "
                    + $"'resume {folder.RunId}' goes on with them; other draws need another --id.");
        await files.WriteDrawsAsync(asked, CancellationToken.None);
        var own = isMeasured
            ? EndedExperimentOf(await ReadReportAsync(folder))
            : await ExperimentExecution.MeasureAsync(input, output, claimed, folder, account: null, tables);
        if (own is null)
            return ExitCode.Incomplete;
        if (own.State == ExperimentState.Stopped)
            return await ExperimentExecution.EndAsync(input, output, own, condition);
        if (await RunDrawsAsync(input, output, folder, tables, ExperimentJsonWriter.Read(own.Json)) is not { } done)
        {
            await output.Text(input).WriteLineAsync($"  go on with     resume {folder.RunId} --out {folder.RunsFolder}");
            return ExitCode.Stopped;
        }

        var code = await ExperimentExecution.EndAsync(input, output, EndedExperimentOf(done.Report), condition);
        return code == ExitCode.Complete && !done.IsComplete ? ExitCode.Incomplete : code;
    }

    private static EndedExperiment EndedExperimentOf(ExperimentReport report) =>
        new(report.State, new ExperimentJsonWriter().Write(report), ExperimentNumbers.From(report));

    private static async Task<ExperimentReport> ReadReportAsync(RunFolder folder) =>
        await ReadAsync(new FolderRunStore(folder.RunsFolder), folder)
            ?? throw new InputException($"experiment '{folder.RunId}' has ended, and its report.json is missing in {folder.FullPath}.");

    /// <summary>Runs the draws that are not measured, one after the other, and sets all of them beside the experiment.</summary>
    /// <returns>The report with a sentence at each finding, and whether every draw is complete; null when it was stopped.</returns>
    private async Task<(ExperimentReport Report, bool IsComplete)?> RunDrawsAsync(
        CommandInput input, ReportOutput output, RunFolder folder, TableAccount? tables, ExperimentReport own)
    {
        var (text, store) = (output.Text(input), new FolderRunStore(folder.RunsFolder));
        var reports = new List<(PhysicsDraw Draw, ExperimentReport? Report)>();
        foreach (var (draw, drawn) in _draws)
        {
            var place = new RunFolder(folder.RunsFolder, drawn.Id!);
            using var claim = await ExperimentClaim.TakeAsync(
                place, drawn, account: null, tables, mayBeMeasured: true, anyScale: false, CancellationToken.None);
            await text.WriteLineAsync($"draw {draw.Number} of {_draws.Count}{(claim.IsMeasured ? $" ({drawn.Id}): measured before" : "")}");
            if (!claim.IsMeasured
                && await ExperimentExecution.MeasureAsync(input, output, drawn, place, account: null, tables)
                    is { State: ExperimentState.Stopped })
                return null;
            reports.Add((draw, await ReadAsync(store, place)));
        }

        var report = SensitivityReport.From(own, scale, reports);
        var named = await SensitivityWriter.SaveAsync(store, report, own, CancellationToken.None);
        foreach (var line in SensitivityLines.From(report, Path.Combine(folder.FullPath, SensitivityWriter.PageName)))
            await text.WriteLineAsync(line);
        return (named, reports.TrueForAll(one => one.Report is { State: ExperimentState.Complete }));
    }

    private static IReadOnlyList<ValidationError> ErrorsOf(ExperimentSpec drawn)
    {
        var reading = ExperimentSpecReader.Check(drawn, RunTarget.SimulatedAccount);
        return reading.Value is null ? reading.Errors : MachineChecks.ErrorsOf(reading.Value, RunTarget.SimulatedAccount);
    }

    private static async Task<ExperimentReport?> ReadAsync(FolderRunStore store, RunFolder folder) =>
        await new ExperimentFiles(store, folder.RunId).ReadReportAsync(RunFiles.ReportName, CancellationToken.None) is { } json
            ? ExperimentJsonWriter.Read(json)
            : null;
}
