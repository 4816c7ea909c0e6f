using ScaleOut.DevBox.Engine;
using ScaleOut.Experiments;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Reports.Text;

namespace ScaleOut.DevBox.Display;

/// <summary>A heading for each run, its own display while it is on, and one line with what it measured.</summary>
/// <param name="output">Takes the lines.</param>
/// <param name="displayOf">Makes the display of one run, by its heading.</param>
internal sealed class ExperimentLines(TextWriter output, Func<string, IRunDisplay> displayOf) : IExperimentDisplay
{
    /// <inheritdoc/>
    public void Show(ExperimentStatus status)
    {
        if (status is { Phase: ExperimentPhase.Running, RunId: { } runId })
            Write($"[{status.Ended + 1}/{status.Runs}] {status.Variant}, repeat {status.Repeat}  ({runId})");
        else if (status.Phase == ExperimentPhase.Reporting)
            Write("writing the experiment's report");
    }

    /// <inheritdoc/>
    public Task<T> ShowWhileAsync<T>(ExperimentRun run, RunBoard board, Task<T> work) => displayOf(RunHeading.Of(run.Spec, account: null)).ShowWhileAsync(board, work);

    /// <inheritdoc/>
    public void Ended(ExperimentRun run, RunResult result)
    {
        Write($"    {Line(result.Report)}");
        foreach (var reason in result.Outcome.Reasons.Take(3))
            Write($"    note: {reason}");
        if (result.Ledger is { Differences.Count: > 0 } ledger)
            Write($"    note: {ledger.Text}");
    }

    /// <inheritdoc/>
    public void Found(ExperimentRun run, RunReport report) => Write($"    measured before: {Line(report)}");

    private static string Line(RunReport report)
    {
        var state = report.State == RunState.Complete ? "" : $"{report.State}; ";
        return Sentences.Rate(report) is { } rate
            ? $"{state}{Numbers.Brief(rate)}/s, p99 {Numbers.Brief(report.LatencyMs.Operation.P99)} ms, {Numbers.Count(report.Requests.Throttled)} throttled, bound by {Words.Of(report.BoundBy)}"
            : $"{state}nothing was measured";
    }

    private void Write(string line)
    {
        try
        {
            output.WriteLine(line);
        }
        catch (IOException)
        {
            // A reader that is gone is no reason to give up the experiment.
        }
    }
}
