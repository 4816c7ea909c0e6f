using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Api.Specs;
using ScaleOut.DevBox.Display;
using ScaleOut.DevBox.Prediction;
using ScaleOut.DevBox.Runs;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>
/// The draws of <c>experiment --sensitivity</c>: the experiment's measured runs, simulated in virtual time. They follow from the reports of
/// the runs alone, so whoever goes on after an interruption comes to the same.
/// </summary>
/// <param name="spec">The experiment's, with its id.</param>
/// <param name="draws">How many.</param>
internal sealed class SensitivityExecution(ExperimentSpec spec, int draws)
{
    private readonly IReadOnlyList<(PhysicsDraw Draw, ExperimentSpec Spec)> _draws =
        [.. SensitivityDraws.From(spec, draws).Select(draw => (draw, SensitivityDraws.ExperimentOf(spec, draw)))];

    /// <summary>Finds out before a long run whether every draw makes a valid experiment.</summary>
    /// <exception cref="InputException">All that is wrong.</exception>
    public void Check()
    {
        var errors = _draws.SelectMany(draw => ExperimentSpecReader.Check(draw.Spec, RunTarget.SimulatedAccount).Errors
            .Select(error => $"--sensitivity: draw {draw.Draw.Number}: {error}")).ToList();
        if (errors.Count > 0)
            throw new InputException(errors);
    }

    /// <summary>
    /// The draws of an experiment that were asked for and not simulated since it was measured; null where there are none. Its report names
    /// them when they were.
    /// </summary>
    public static async Task<SensitivityExecution?> FindUnfinishedAsync(
        ExperimentFiles files, ExperimentSpec spec, bool isMeasured, CancellationToken cancellationToken) =>
        await files.ReadDrawsAsync(cancellationToken) is { } asked
        && !(isMeasured && await ReadOwnAsync(files, cancellationToken) is { } own && own.Findings.All(one => one.Sensitivity is not null))
            ? new SensitivityExecution(spec, asked.Count)
            : null;

    /// <summary>Measures the experiment, unless it is measured, and simulates its draws; ends as the experiment ended.</summary>
    /// <param name="input">The command line.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="claimed">The experiment as it is claimed.</param>
    /// <param name="isMeasured">Whether nothing of it is left to measure.</param>
    /// <param name="folder">Its folder, whose lock is held.</param>
    /// <param name="condition">Under which a complete experiment fails; null for none.</param>
    /// <param name="tables">Where runs go that write to tables; null where there is none.</param>
    public async Task<int> RunAsync(
        CommandInput input, ReportOutput output, ExperimentSpec claimed, bool isMeasured, RunFolder folder, FailIfCondition? condition,
        TableAccount? tables)
    {
        var store = new FolderRunStore(folder.RunsFolder);
        var files = new ExperimentFiles(store, folder.RunId);
        await files.WriteDrawsAsync(new AskedDraws(draws), CancellationToken.None);
        if (!isMeasured)
        {
            var measured = await ExperimentExecution.MeasureAsync(input, output, claimed, folder, account: null, tables);
            if (measured is null)
                return ExitCode.Incomplete;
            if (measured.State == ExperimentState.Stopped)
                return await ExperimentExecution.EndAsync(input, output, measured, condition);
        }

        var own = await ReadOwnAsync(files, CancellationToken.None)
            ?? throw new InputException($"experiment '{folder.RunId}' has ended, and its report.json is missing in {folder.FullPath}.");
        var report = Simulate(own, VirtualExperiment.From(own, store));
        var named = await SensitivityWriter.SaveAsync(store, report, own, CancellationToken.None);
        foreach (var line in SensitivityLines.From(report, Path.Combine(folder.FullPath, SensitivityWriter.PageName)))
            await output.Text(input).WriteLineAsync(line);
        return await ExperimentExecution.EndAsync(
            input, output,
            new EndedExperiment(named.State, new ExperimentJsonWriter().Write(named), ExperimentNumbers.From(named)), condition);
    }

    /// <summary>Simulates the control and the draws, and tests the findings on each.</summary>
    /// <param name="own">The experiment's report.</param>
    /// <param name="runs">Its runs.</param>
    public SensitivityReport Simulate(ExperimentReport own, VirtualExperiment runs)
    {
        var passes = runs.Simulate([own.Spec, .. _draws.Select(draw => draw.Spec)]);
        return SensitivityReport.From(
            own, runs.NotSimulated, passes[0], [.. _draws.Select((draw, i) => (draw.Draw, passes[i + 1]))]);
    }

    private static async Task<ExperimentReport?> ReadOwnAsync(ExperimentFiles files, CancellationToken cancellationToken) =>
        await files.ReadReportAsync(RunFiles.ReportName, cancellationToken) is { } json ? ExperimentJsonWriter.Read(json) : null;
}
