using System.Globalization;
using ScaleOut.Findings;
using ScaleOut.Orchestration;
using ScaleOut.Reports.Text;

namespace ScaleOut.Experiments.Reporting;

/// <summary>The few sentences that say how an experiment went.</summary>
public static class ExperimentSentences
{
    /// <summary>How much was run, and what came of the findings.</summary>
    public static string Headline(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var runs = report.Variants.SelectMany(variant => variant.Runs).ToList();
        var complete = runs.Count(run => run.State == RunState.Complete);
        var asked = report.Spec.Variants.Count * report.Spec.Repeats;
        var amount = complete == asked ? Words.Amount(asked, "complete run") : $"{Numbers.Count(complete)} of {Words.Amount(asked, "run")} complete";
        var text = $"{amount}{(complete == asked ? " of" : ", with")} {Words.Amount(report.Variants.Count, "variant")}"
            + $" in {Numbers.Duration(TimeOf(report))}";
        return report.Findings.Count == 0 ? $"{text}." : $"{text}; of {Words.Amount(report.Findings.Count, "finding")} {Verdicts(report.Findings)}.";
    }

    /// <summary>The time that its runs took, one after the other; an experiment that was resumed may have waited in between.</summary>
    private static TimeSpan TimeOf(ExperimentReport report)
    {
        var runs = report.Variants.SelectMany(variant => variant.Runs)
            .Where(run => run is { StartedAt: not null, FinishedAt: not null })
            .Select(run => (run.FinishedAt!.Value - run.StartedAt!.Value).TotalSeconds - run.InterruptedSeconds)
            .ToList();
        return runs.Count > 0 ? TimeSpan.FromSeconds(Math.Max(0, runs.Sum())) : report.FinishedAt - report.StartedAt;
    }

    /// <summary>What the numbers are, where they are not an account's own at full size.</summary>
    public static IReadOnlyList<string> Labels(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var labels = new List<string>();
        if (report.Simulated)
            labels.Add("Simulated: all measured numbers are from the simulated account.");
        if (report.Scale < 1)
            labels.Add(string.Create(CultureInfo.InvariantCulture, $"Scaled to {report.Scale:0.######}: not the plan's full size."));
        return labels;
    }

    private static string Verdicts(IReadOnlyList<FindingResult> findings) => string.Join(", ", findings.GroupBy(finding => finding.Verdict).OrderBy(group => group.Key)
        .Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Count()} {FindingText.Verdict(group.Key)}")));
}
