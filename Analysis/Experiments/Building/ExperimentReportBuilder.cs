namespace ScaleOut.Analysis.Experiments.Building;

/// <summary>Makes an experiment's report from the digests of its runs.</summary>
internal static class ExperimentReportBuilder
{
    /// <param name="digests">One for each of the ending's runs, in any order.</param>
    public static ExperimentReport Build(ExperimentEnding ending, IReadOnlyList<RunDigest> digests)
    {
        var simulated = digests.Any(digest => digest.Figures?.Simulated == true);
        var byId = digests.ToDictionary(digest => digest.RunId, StringComparer.Ordinal);
        var variants = ending.Spec.Variants.Select((_, i) => VariantOf(ending, i, byId, simulated)).ToList();
        var findings = FindingTests.Evaluate(
            ending.Spec.Findings, [.. variants.Select(variant => variant.Measured)], ending.Spec.InterimAnalyses);
        var started = digests.Select(digest => digest.StartedAt).OfType<DateTimeOffset>().ToList();
        var report = new ExperimentReport
        {
            Id = ending.Spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(ending)),
            Name = ending.Spec.Name,
            State = StateOf(ending),
            Simulated = simulated,
            Scale = ending.Spec.Scale,
            StartedAt = started.Count > 0 ? started.Min() : ending.StartedAt,
            FinishedAt = ending.FinishedAt,
            Spec = ending.Spec,
            Machines = MachineKind.Merge(digests.SelectMany(digest => digest.Machines)),
            Variants = variants,
            Findings = findings,
            Published = PublishedOrder.From(variants),
            NotTested = NotTested(variants, findings),
        };
        return report with { Warnings = ExperimentWarnings.From(report) };
    }

    public static ExperimentOutcome OutcomeOf(ExperimentReport report)
    {
        var runs = report.Variants.SelectMany(variant => variant.Runs).ToList();
        return new ExperimentOutcome
        {
            ExperimentId = report.Id,
            State = report.State,
            Runs = report.Spec.Variants.Count * report.Spec.Repeats,
            Complete = runs.Count(run => run.State == RunState.Complete),
            NotComplete = runs.Count(run => run.State is not (null or RunState.Complete)),
            NotTestable = runs.Count(run => run.State is null),
            Simulated = report.Simulated,
            Invalid = InvalidParts.WhatOf(ExperimentWarnings.InvalidFiguresOf(report)),
            Verdicts = report.Findings.GroupBy(finding => finding.Verdict).OrderBy(group => group.Key)
                .ToDictionary(group => JsonNamingPolicy.CamelCase.ConvertName(group.Key.ToString()), group => group.Count()),
        };
    }

    private static ExperimentState StateOf(ExperimentEnding ending)
    {
        if (ending.Stopped)
            return ExperimentState.Stopped;
        return ending.Runs.Any(run => run.State is not (null or RunState.Complete))
            ? ExperimentState.Incomplete
            : ExperimentState.Complete;
    }

    private static VariantReport VariantOf(ExperimentEnding ending, int index, Dictionary<string, RunDigest> digests, bool simulated)
    {
        var spec = ending.Spec.Variants[index];
        var full = GridPlanner.FullPlanOf(ending.Spec, index);
        var scaled = ExperimentScale.Apply(full, ending.Spec.Scale);
        var runs = ending.Runs.Where(run => run.Variant == index)
            .Select(run => digests.TryGetValue(run.RunId, out var digest) ? digest : RunDigest.From(run, report: null)).ToList();
        var variant = new VariantReport
        {
            Name = spec.Name,
            Plan = scaled,
            FullDocuments = full.Documents,
            Notes = spec.Notes,
            Published = spec.Published,
            ExpectedRate = PredictedRate.From(full, simulated || full.Simulation is not null),
            Runs = runs,
        };
        var counted = variant.Counted.Select(run => run.Figures!).ToList();
        return variant with
        {
            Rate = Estimate.From(counted.Select(run => run.Rate)),
            MeanLatencyMs = Estimate.From(counted.Select(run => run.MeanLatencyMs)),
            P96LatencyMs = Estimate.From(counted.Select(run => run.P96LatencyMs)),
            RequestUnitsPerOperation = Estimate.From(counted.Select(run => run.RequestUnitsPerOperation)),
            CallsPerOperation = Estimate.From(counted.Select(run => run.CallsPerOperation)),
            NotMeasured = counted.Count > 0 ? null : WhyNotMeasured(runs),
        };
    }

    private static string WhyNotMeasured(List<RunDigest> runs)
    {
        if (runs.Count == 0)
            return "the experiment was stopped before it";
        var reasons = runs.Select(run => run.Reason).OfType<string>().Select(reason => reason.TrimEnd('.')).Distinct().ToList();
        var text = runs.All(run => run.State is null) ? "" : $"{Words.Amount(runs.Count, "run")}, none of them complete: ";
        return text + (reasons.Count > 0 ? string.Join("; ", reasons) : "no rate was measured");
    }

    private static IReadOnlyList<NotTestedItem> NotTested(List<VariantReport> variants, IReadOnlyList<FindingResult> findings) =>
    [
        .. variants.Where(variant => variant.NotMeasured is not null)
            .Select(variant => new NotTestedItem($"variant {variant.Name}", variant.NotMeasured!)),
        .. findings.Where(finding => finding.Verdict == FindingVerdict.NotTested)
            .Select(finding => new NotTestedItem($"finding {finding.Id}", finding.Reason ?? finding.Sentence)),
    ];
}
