using ScaleOut.Analysis.Experiments.Tables;
using ScaleOut.Analysis.Findings;

namespace ScaleOut.DevBox.Display;

/// <summary>What a user wants to know when an experiment has ended, before opening the report.</summary>
internal static class ExperimentSummary
{
    private const int ShownWarnings = 5;

    /// <summary>The summary's lines.</summary>
    /// <param name="page">Path of the report for people.</param>
    public static IEnumerable<string> From(ExperimentReport report, string page)
    {
        yield return "";
        var result = ExperimentSentences.Result(report);
        yield return $"{(report.Simulated ? "Simulated: " : "")}{result[0]}";
        foreach (var sentence in result.Skip(1).Append(ExperimentSentences.Headline(report)))
            yield return sentence;
        var width = Math.Min(40, report.Variants.Max(variant => variant.Name.Length));
        foreach (var variant in report.Variants)
        {
            var figures = variant.Rate is { } rate
                ? $"{Numbers.Brief(rate.Value),10}/s  "
                    + $"{(rate.Interval95 is null ? "one repeat" : VariantTable.Interval(rate.Interval95)),-20}"
                : $"not measured: {variant.NotMeasured}";
            yield return $"  {variant.Name.PadRight(width)} {figures}".TrimEnd();
        }

        foreach (var finding in report.Findings)
        {
            yield return $"  {FindingText.Label(finding),-22} {finding.Id}: {finding.Sentence}";
            if (FindingText.AmongAll(finding) is { Length: > 0 } amongAll)
                yield return $"  {"",-22} {amongAll}";
        }

        if (report.Published is { Pairs.Count: > 0 } published)
            yield return $"  {"published",-22} {published.CountOf(PairVerdict.Agrees)} pairs in the published order, "
                + $"{published.CountOf(PairVerdict.Disagrees)} not, {published.CountOf(PairVerdict.Undecided)} undecided"
                + $"{(published.Spearman is { } rho ? $"; rank correlation {FindingText.Ratio(rho)}" : "")}";
        foreach (var warning in report.Warnings.Take(ShownWarnings))
            yield return $"  note: {warning}";
        if (report.Warnings.Count > ShownWarnings)
            yield return $"  note: {report.Warnings.Count - ShownWarnings} more in the report";
        yield return $"  {"report",-22} {page}";
    }

    /// <summary>How long an experiment will take, before it begins.</summary>
    public static string TimeOf(ExperimentEstimate estimate) =>
        $"about {Numbers.Duration(TimeSpan.FromSeconds(estimate.Seconds))} (an estimate): {Words.Amount(estimate.Runs, "run")}, at work "
        + $"for {Numbers.Duration(TimeSpan.FromSeconds(estimate.RunSeconds))} by RU/s, rates and latency, and about "
        + $"{Numbers.Brief(ExperimentEstimate.AroundRunSeconds)} s around each; longer where this machine is the limit";
}

/// <summary>A heading for each run, its own display while it is on, and one line with what it measured.</summary>
/// <param name="displayOf">Makes the display of one run.</param>
internal sealed class ExperimentLines(TextWriter output, Func<RunSpec, IRunDisplay> displayOf) : IExperimentDisplay
{
    /// <summary>Runs from the first one on that are enough to say that the machine is too small.</summary>
    private const int EnoughRuns = 2;

    private int _ended;
    private int _boundByMachine;

    /// <inheritdoc/>
    public void Show(ExperimentStatus status)
    {
        foreach (var line in LimitLines.Progress(status))
            Write(line);
        if (status is { Phase: ExperimentPhase.Running, RunId: { } runId, Bracket: null })
            Write($"[{status.Ended + 1}/{status.Runs}] {status.Variant}, repeat {status.Repeat}  ({runId})");
        else if (status.Phase == ExperimentPhase.Reporting)
            Write("writing the experiment's report");
    }

    /// <inheritdoc/>
    public Task<T> ShowWhileAsync<T>(PlannedRun run, RunTally tally, Task<T> work) =>
        displayOf(run.Spec).ShowWhileAsync(tally, work);

    /// <inheritdoc/>
    public void Ended(PlannedRun run, RunResult result)
    {
        Write($"    {Line(result.Report)}");
        foreach (var reason in result.Outcome.Reasons.Take(3))
            Write($"    note: {reason}");
        if (result.Ledger is { Differences.Count: > 0 } ledger)
            Write($"    note: {ledger.Text}");
        WarnOfMachine(result.Report);
    }

    /// <summary>An early word: what the machine bounds, tests no finding, however many runs follow.</summary>
    private void WarnOfMachine(RunReport report)
    {
        _ended++;
        _boundByMachine += RunFigures.From(report).BoundByMachine ? 1 : 0;
        if (_ended != EnoughRuns || _boundByMachine != EnoughRuns)
            return;
        var others = report.Utilization?.MachineByOthers is { } share ? $"; other programs used {Numbers.Percent(share)} of its cores" : "";
        Write($"    note: the first {EnoughRuns} runs were bound by this machine{others}. Runs like these count for no finding: Ctrl+C "
            + "stops the experiment; close other programs, or give it fewer workers, fewer operations in flight or a lower rate.");
    }

    /// <inheritdoc/>
    public void Note(string text) => Write($"    note: {text}");

    /// <inheritdoc/>
    public void Found(PlannedRun run, RunReport report) => Write($"    measured before: {Line(report)}");

    private static string Line(RunReport report)
    {
        var state = report.State == RunState.Complete ? "" : $"{report.State}; ";
        return Sentences.Rate(report) is { } rate
            ? $"{state}{Numbers.Brief(rate)}/s, p99 {Numbers.Brief(report.LatencyMs.Operation.P99)} ms, "
                + $"{Numbers.Count(report.Requests.Throttled)} throttled, bound by {Words.From(report.BoundBy)}"
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
