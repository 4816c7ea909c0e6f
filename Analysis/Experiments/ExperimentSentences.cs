namespace ScaleOut.Analysis.Experiments;

internal static class ExperimentSentences
{
    /// <summary>Smallest share of the rate asked for at which a variant counts as keeping it.</summary>
    private const double MinAchieved = 0.95;

    /// <summary>The number of runs and variants, their time, and the verdicts on the findings.</summary>
    public static string Headline(ExperimentReport report)
    {
        var runs = report.Variants.SelectMany(variant => variant.Runs).ToList();
        var complete = runs.Count(run => run.State == RunState.Complete);
        var asked = report.Spec.Variants.Count * report.Spec.Repeats;
        var amount = complete == asked
            ? Words.Amount(asked, "complete run")
            : $"{Numbers.Count(complete)} of {Words.Amount(asked, "run")} complete";
        var text = $"{amount}{(complete == asked ? " of" : ", with")} {Words.Amount(report.Variants.Count, "variant")}"
            + $" in {Numbers.Duration(TimeOf(report))}";
        return report.Findings.Count == 0
            ? $"{text}."
            : $"{text}; of {Words.Amount(report.Findings.Count, "finding")} {Verdicts(report.Findings)}.";
    }

    /// <summary>
    /// The result in two sentences: the highest rate, and then what bound it and what that says.
    /// </summary>
    public static IReadOnlyList<string> Result(ExperimentReport report)
    {
        if (Best(report) is not { } best)
            return ["No variant was measured."];
        var measured = report.Variants.Where(variant => variant.Rate is not null)
            .OrderByDescending(variant => variant.Rate!.Value).ToList();
        if (KeepTheirRates(report))
            return [SamePace(measured), .. Evidence(best)];
        var sameUnit = measured.All(variant => variant.Plan.Workload.Kind == best.Plan.Workload.Kind
            && variant.Plan.Workload.HasStepsOf(best.Plan.Workload));
        var slowest = measured.Count > 1 && sameUnit
            ? $", {Numbers.Ratio(best.Rate!.Value / measured[^1].Rate!.Value)} x the slowest, {measured[^1].Name}"
            : "";
        return
        [
            $"The fastest variant is {best.Name} with {Numbers.Brief(best.Rate!.Value)} {UnitOf(best)} per second ({IntervalOf(best)})"
                + $"{slowest}.",
            .. Evidence(best),
        ];
    }

    /// <summary>The variant that the result is about; null if none was measured.</summary>
    public static VariantReport? Best(ExperimentReport report)
    {
        var measured = report.Variants.Where(variant => variant.Rate is not null).ToList();
        return KeepTheirRates(report) ? ByP99(measured)[0] : measured.MaxBy(variant => variant.Rate!.Value);
    }

    /// <summary>The change that would raise the highest rate most; null if nothing is known to bind it.</summary>
    public static string? Next(ExperimentReport report) => Best(report) is { } best && BoundRuns(best) is { } group
        ? NextStep.From(group.Key!.Value, group.First().Utilization, best.Plan.IsPaced())
        : null;

    /// <summary>What bound most runs of a variant; null if it is not known.</summary>
    public static BoundBy? BoundOf(VariantReport variant) => BoundRuns(variant)?.Key;

    /// <summary>
    /// Whether every measured variant kept the rate that was asked of it. Then only latencies can differ, so rates are not compared.
    /// </summary>
    public static bool KeepTheirRates(ExperimentReport report)
    {
        var measured = report.Variants.Where(variant => variant.Rate is not null).ToList();
        return measured.Count > 1 && measured.TrueForAll(variant => variant.Rate!.Value >= MinAchieved * AskedOf(variant));
    }

    /// <summary>Documents per second of all workers; null if any of them is a closed loop.</summary>
    private static double? AskedOf(VariantReport variant)
    {
        var rates = Enumerable.Range(0, variant.Plan.Workers).Select(variant.Plan.ScheduledRateOf).ToList();
        return rates.TrueForAll(rate => rate is not null) ? rates.Sum() : null;
    }

    /// <summary>Says that all variants keep their rates, and which two differ most in p99.</summary>
    private static string SamePace(List<VariantReport> measured)
    {
        var rates = measured.Select(variant => AskedOf(variant)!.Value).ToList();
        var kept = $"{(measured.Count == 2 ? "Both" : $"All {Numbers.Count(measured.Count)}")} variants keep the "
            + $"{Numbers.Range(rates, Numbers.Brief)} {UnitOf(measured[0])} per second asked for";
        var ordered = ByP99(measured);
        var (low, high) = (P99Of(ordered[0]), P99Of(ordered[^1]));
        if (low.Count == 0 || high.Count == 0)
            return $"{kept}.";
        string Ms(List<double> values) => $"{Numbers.Range(values, Numbers.Brief)} ms";
        return low.Max() < high.Min()
            ? $"{kept}; what differs is p99: {Ms(low)} with {ordered[0].Name}, {Ms(high)} with {ordered[^1].Name}, "
                + $"{Numbers.Ratio(Middle(high) / Middle(low))} x as long."
            : $"{kept}, and their p99 is not shown to differ: {Ms([.. measured.SelectMany(P99Of)])}.";
    }

    private static List<VariantReport> ByP99(List<VariantReport> variants) =>
        [.. variants.OrderBy(variant => P99Of(variant) is { Count: > 0 } values ? Middle(values) : double.PositiveInfinity)];

    /// <summary>The p99 of each counted run, because percentiles cannot be averaged.</summary>
    private static List<double> P99Of(VariantReport variant) =>
        [.. variant.Counted.Select(run => run.OperationLatencyMs?.P99).OfType<double>().Order()];

    private static double Middle(List<double> ascending) => MachineMerge.Median(ascending) ?? 0;

    private static string UnitOf(VariantReport variant) => WorkloadWords.From(variant.Plan.Workload.Kind).Plural.ToLowerInvariant();

    /// <summary>The interval of a variant's rate, or why there is none.</summary>
    public static string IntervalOf(VariantReport variant) => variant.Rate!.Interval95 switch
    {
        null => "one repeat",
        { IsTooWide: true } => "too few repeats for an interval",
        { } known => $"95% interval {Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}, {variant.Rate.Count} repeats",
    };

    /// <summary>The runs that have what most of a variant's runs have: what bound them; null if it is not known.</summary>
    private static IGrouping<BoundBy?, RunDigest>? BoundRuns(VariantReport variant) =>
        variant.Counted.GroupBy(run => run.Figures!.BoundBy).MaxBy(runs => runs.Count()) is { Key: not null } group ? group : null;

    /// <summary>Says what bound most of a variant's runs; empty if it is not known.</summary>
    private static IEnumerable<string> Evidence(VariantReport variant)
    {
        if (BoundRuns(variant) is not { } group)
            yield break;
        var evidence = NextStep.EvidenceFor(
            group.Key!.Value, group.Any(run => run.Figures!.Simulated), group.Any(run => run.Figures!.Emulated),
            variant.Plan.Workload.Kind.UsesTables());
        var (count, all) = (group.Count(), variant.Counted.Count);
        yield return $"Bound by {Words.From(group.Key)}{(count < all ? $" in {count} of {all} runs" : "")}: {evidence}.";
    }

    /// <summary>Total time of the runs. Pauses before a resume are not included.</summary>
    private static TimeSpan TimeOf(ExperimentReport report)
    {
        var runs = report.Variants.SelectMany(variant => variant.Runs)
            .Where(run => run is { StartedAt: not null, FinishedAt: not null })
            .Select(run => (run.FinishedAt!.Value - run.StartedAt!.Value).TotalSeconds - run.InterruptedSeconds)
            .ToList();
        return runs.Count > 0 ? TimeSpan.FromSeconds(Math.Max(0, runs.Sum())) : report.FinishedAt - report.StartedAt;
    }

    /// <summary>What the origins of findings mean on the simulated account.</summary>
    public const string OriginsOfFindings =
        "A finding marked emergent says how this client behaves under the simulated account's physics: the real SDK, protocols, queues "
            + "and cores. One marked assumed follows from parameters of the simulated account, is no evidence and has no verdict: only a "
            + "real account can give one.";

    /// <summary>Which figures of a simulated experiment are simulated.</summary>
    public static string SimulatedNote(ExperimentReport report)
    {
        var tables = report.Variants.Any(variant => variant.Plan.Workload.Kind.UsesTables() && variant.Rate is not null);
        return "Simulated: all measured numbers are from the simulated account"
            + (tables ? ", but those of variants that write to Table storage." : ".");
    }

    /// <summary>The share of the documents and times that was run.</summary>
    public static string Scale(ExperimentReport report) => report.Scale.ToString("0.######", CultureInfo.InvariantCulture);

    /// <summary>How far the measured order agrees with the published one; empty if no rates were published.</summary>
    public static IEnumerable<string> Published(ExperimentReport report)
    {
        if (report.Published is not { Pairs.Count: > 0 } published)
            yield break;
        var (agree, disagree) = (published.CountOf(PairVerdict.Agrees), published.CountOf(PairVerdict.Disagrees));
        yield return $"Published rates: {Words.Amount(agree, "pair")} in the published order, {Numbers.Count(disagree)} not, "
            + $"{Numbers.Count(published.CountOf(PairVerdict.Undecided))} undecided"
            + (published.CountOf(PairVerdict.Assumed) is > 0 and var assumed
                ? $", {Numbers.Count(assumed)} follow from the simulated account's parameters" : "")
            + (published.Spearman is { } rho ? $"; rank correlation {Numbers.Ratio(rho)}." : ".");
    }

    private static string Verdicts(IReadOnlyList<FindingResult> findings) => string.Join(", ", findings
        .GroupBy(finding => finding.Verdict)
        .OrderBy(group => group.Key)
        .Select(group => $"{group.Count()} {FindingText.Verdict(group.Key)}"));
}
