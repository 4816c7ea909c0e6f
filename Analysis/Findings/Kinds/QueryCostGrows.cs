namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// Compares the RU of a query on the most documents with its RU on the fewest. The claim is refuted if the RU are shown to fall from one
/// variant to the next.
/// </summary>
internal sealed class QueryCostGrows() : FindingTest(FindingKind.QueryCostGrows, FindingRoles.Ladder(2, "number of stored documents"))
{
    /// <summary>
    /// Share by which a query may cost more than the documents that it returns and still count as loading no others. Predictions use
    /// typical document sizes, which differ from the real ones.
    /// </summary>
    private const double Tolerance = 0.1;

    public override bool DependsOnLayout => true;

    public override bool ComparesRates => false;

    public override bool IsAboutTime => false;

    public override string ClaimFor(FindingSpec finding) =>
        ClaimText.Gain("The RU of a query grow as its data grow", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants)
    {
        if (!variants.All(spec => spec.Workload is { Kind: WorkloadKind.Query, Query: not null }))
            return "all variants must run a query";
        if (variants.Select(spec => JsonSerializer.Serialize(spec.Workload.Query, ScaleOutJson.Compact)).Distinct().Count() > 1)
            return "all variants must run the same query";
        return AscendingVariants.Ascend(variants, spec => spec.Workload.PreloadOf(spec.Documents))
            ? null
            : "the variants must ascend in stored documents (preload)";
    }

    public override FindingResult Judge(FindingCase given)
    {
        if (given.Unusable is { } unusable)
            return FindingResult.NotTested(unusable);
        if (!given.Variants.All(variant => ChargesOf(variant) is not null))
            return FindingResult.NotTested("RU per operation were not measured in every run");

        var growth = Compare(given.Baseline, given.Changed);
        var outcome = growth.ToFinding(
            $"RU per operation, {given.Changed.Name} / {given.Baseline.Name}",
            $"On {StoredIn(given.Changed)} documents the query cost {Numbers.Brief(growth.Ratio)} times the RU of the same query on "
                + StoredIn(given.Baseline)) with
        {
            Notes = [.. given.Variants.Select(variant =>
                $"{variant.Name}: {Numbers.Brief(LogSample.From(ChargesOf(variant)!).GeometricMean)} RU per query on "
                    + $"{StoredIn(variant)} documents.")],
        };
        if (!given.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        // One comparison alone can refute the claim, so all of them share the 5%: each step and, if there are several, the whole ladder.
        var steps = AscendingVariants.StepsOf(given.Variants, Compare);
        var (threshold, count) = (ThresholdOf(given.Spec), steps.Count == 1 ? 1 : steps.Count + 1);
        return steps.Find(step => step.Change.Effect!.At(given.Verdicts.ConfidenceFor(count)).LiesBelow(1)) is { } fall
            ? outcome.Decide(FindingVerdict.Refuted, $"; from {fall.From.Name} to {fall.To.Name} they fell")
            : outcome.DecideGain(
                given.Verdicts.OfPart(growth.Effect!, threshold, count), growth, threshold, "", ": no growth that matters");
    }

    public override string PredictedFrom => "the RU of a page and of each document that the query gives back";

    public override Assumption FollowsFrom(FindingCase given) =>
        ChargeOf(given.Baseline) is { } before && ChargeOf(given.Changed) is { } after
            ? new(
                $"{PredictedFrom}: a query costs {Numbers.Brief(before)} RU, then {Numbers.Brief(after)} RU", after / before)
            : new(PredictedFrom, Predicted: null);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Workload = spec.Workload with { Preload = null } };

    /// <summary>
    /// Predicted RU of the query for the documents that it returns. Null if their number is unknown. Also null if the query cost clearly
    /// more: it then loads documents that it does not return, and nothing measures those.
    /// </summary>
    private static double? ChargeOf(MeasuredVariant variant)
    {
        var items = variant.Usable.Select(figures => figures.ItemsPerOperation).ToList();
        if (items.Count == 0 || !items.TrueForAll(known => known is >= 0 and < int.MaxValue))
            return null;
        var charge = RunEstimate.QueryChargeOf(variant.Spec, (int)Math.Round(items.Average()!.Value));
        return charge > 0 && variant.Usable.All(figures => figures.RequestUnitsPerOperation <= (1 + Tolerance) * charge) ? charge : null;
    }

    private static Comparison Compare(MeasuredVariant fewer, MeasuredVariant more) => Comparison.From(ChargesOf(more)!, ChargesOf(fewer)!);

    private static IReadOnlyList<double>? ChargesOf(MeasuredVariant variant) =>
        variant.Values(figures => figures.RequestUnitsPerOperation);

    private static string StoredIn(MeasuredVariant variant) => Numbers.Count(variant.Spec.Workload.PreloadOf(variant.Spec.Documents));
}
