namespace ScaleOut.Analysis.Experiments;

/// <summary>What a reader must know before trusting an experiment's numbers.</summary>
public static class ExperimentWarnings
{
    /// <summary>Most warnings that the report of an experiment repeats from that of a run.</summary>
    internal const int MaxWarningsOfARun = 3;

    internal static IReadOnlyList<string> From(ExperimentReport report) => [.. All(report).OfType<string>()];

    private static IEnumerable<string?> All(ExperimentReport report)
    {
        var runs = report.Variants.SelectMany(variant => variant.Runs.Select(run => (Variant: variant.Name, Run: run))).ToList();
        if (report.State == ExperimentState.Stopped)
            yield return $"The experiment was stopped after {runs.Count(run => run.Run.State == RunState.Complete)} of "
                    + $"{report.Spec.Variants.Count * report.Spec.Repeats} runs; what follows rests on those.";
        foreach (var (variant, run) in runs.Where(run => run.Run.State is not (null or RunState.Complete)).Take(10))
            yield return $"{variant}, repeat {run.Repeat} is {run.State.ToString()!.ToLowerInvariant()} and counts for "
                + $"nothing{(run.Reason is null ? "." : $": {run.Reason}")}";
        foreach (var (variant, run) in runs.Where(run => run.Run.Figures is { WhyLeftOut: not null }).Take(10))
            yield return $"{variant}, repeat {run.Repeat} counts for nothing: {run.Figures!.WhyLeftOut}.";
        if (report.Scale < 1)
            yield return
                $"Scaled: each run has {report.Scale:0.######} of the spec's documents and times, so start-up weighs more than at full "
                    + $"size and the figures are not those of the spec.";
        if (report.Spec.Repeats < 2)
            yield return "Each variant was run once, so there are no intervals: findings that need them stay undecided.";
        if (report.Spec is { Interleaved: false, Repeats: > 1 } && report.Findings.Any(finding => finding.Variants.Count > 1))
            yield return "The repeats of each variant were run together, not in turn with the others: what drifted meanwhile is in every "
                + "comparison, so more than 5% of the verdicts can be wrong.";
        yield return Physics(report);
        foreach (var one in InvalidFiguresOf(report))
            yield return one.Why;
        yield return MakespanRates(report);
        yield return Consistency(report);
    }

    /// <summary>The figures of some variants that are not valid, with the reasons.</summary>
    public static IReadOnlyList<InvalidFigures> InvalidFiguresOf(ExperimentReport report) =>
    [
        .. Invalid(report, "rates", figures => figures.RateSpoiledBy), .. Invalid(report, "latencies", figures => figures.LatencySpoiledBy),
    ];

    private static IEnumerable<InvalidFigures> Invalid(ExperimentReport report, string what, Func<RunFigures, MachineEffect?> spoiledBy)
    {
        bool Holds(RunFigures figures) => spoiledBy(figures) is not null;
        var (some, all) = (VariantsOf(report, Holds), VariantsOf(report, _ => true));
        var causes = report.Variants.SelectMany(variant => variant.Usable).Select(run => spoiledBy(run.Figures!)).OfType<MachineEffect>()
            .Distinct().Order().Select(effect => Validity.Text(effect));
        if (OfRuns(report, Holds, $"count for no finding about {what}: {string.Join("; ", causes)}.") is { } why)
            yield return new(some.Count == all.Count ? what : $"{what} of {some.Count} of {all.Count} variants", why);
    }

    private static string? Physics(ExperimentReport report)
    {
        var start = report.Variants.SelectMany(variant => variant.Runs).Min(run => run.StartedAt);
        var sources = report.Variants
            .Where(variant => variant.Usable.Any(run => run.Figures!.Simulated))
            .Select(variant => PhysicsSource.From(variant.Plan.Simulation, start ?? default))
            .OfType<string>().Distinct().ToList();
        return sources.Count == 0 ? null : $"The simulated accounts have measured physics: {string.Join("; ", sources)}.";
    }

    private static string? MakespanRates(ExperimentReport report) => OfRuns(
        report,
        figures => !figures.RateIsOverlap,
        "had under 5 seconds in which all workers were at work: their rates are from first start to last end, with the ramp in them, and "
            + "count for no finding about rates.");

    /// <summary>A warning that names the variants with usable runs for which a condition holds; null if there are none.</summary>
    private static string? OfRuns(ExperimentReport report, Func<RunFigures, bool> holds, string text)
    {
        var variants = VariantsOf(report, holds);
        return variants.Count == 0 ? null : $"Runs of {Names(variants)} {text}";
    }

    private static List<string> VariantsOf(ExperimentReport report, Func<RunFigures, bool> holds) =>
        [.. report.Variants.Where(variant => variant.Usable.Any(run => holds(run.Figures!))).Select(variant => variant.Name)];

    private static string? Consistency(ExperimentReport report)
    {
        var writes = report.Variants.Where(variant => !variant.Plan.Workload.Shares.All(one => one.Kind.Reads())).ToList();
        return writes.Select(variant => variant.Plan.Client.Consistency).Distinct().Count() > 1
            ? "A client's consistency is a promise about reads; it does not change what a write does or costs, so no difference between "
                + "writes can come from it."
            : null;
    }

    private static string Names(List<string> variants) =>
        variants.Count <= 4 ? string.Join(", ", variants) : $"{string.Join(", ", variants.Take(3))} and {variants.Count - 3} more";
}
