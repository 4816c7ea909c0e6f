namespace ScaleOut.Analysis.Experiments.Building;

/// <summary>
/// Compares the order of published rates with that of measured ones. The published figures alone decide which pairs have an order. The
/// interval of the measured ratio decides whether a pair keeps it. A variant that this machine cannot test is in no comparison.
/// </summary>
internal static class PublishedOrder
{
    /// <summary>Smallest factor at which two published rates, each of one run, have an order.</summary>
    public const double SeparatedFactor = 1.1;

    /// <summary>The comparison; null when nothing was published.</summary>
    public static PublishedComparison? From(IReadOnlyList<VariantReport> variants)
    {
        var published = variants.Where(variant => variant.Published is not null).ToList();
        if (published.Count == 0)
            return null;
        var rated = published.Where(variant => RateOf(variant) is not null).ToList();
        var both = rated.Where(variant => WhyNotTestable(variant) is null).ToList();
        return new PublishedComparison
        {
            Compared = both.Count,
            Spearman = RankCorrelation.Spearman(
                [.. both.Select(variant => RateOf(variant)!.Value)], [.. both.Select(variant => variant.Rate!.Value)]),
            Rows = [.. published.Select(Row)],
            Pairs = [.. rated.SelectMany((one, i) => rated.Skip(i + 1).Select(other => Pair(one, other)))],
        };
    }

    private static double? RateOf(VariantReport variant) => variant.Published?.RateFor(variant.FullDocuments);

    private static PublishedRow Row(VariantReport variant) => new()
    {
        Variant = variant.Name,
        Published = Rounding.Amount(RateOf(variant)),
        Expected = Rounding.Amount(variant.ExpectedRate),
        Measured = variant.Rate,
        Ratio = RateOf(variant) is { } rate && variant.Rate is { } measured ? Math.Round(measured.Value / rate, 3) : null,
        Difference = DifferenceOf(variant),
        NotTestable = WhyNotTestable(variant),
    };

    private static string? DifferenceOf(VariantReport variant) => variant.Rate is null
        ? null
        : $"bound by {string.Join(" or ", variant.Counted.Select(run => Words.From(run.Figures!.BoundBy)).Distinct())}";

    /// <summary>
    /// Why this machine cannot test a variant, by the rules of the findings: no run counts, or its processors set the rate; null when it
    /// can.
    /// </summary>
    private static string? WhyNotTestable(VariantReport variant) =>
        variant.NothingCounts ?? (BoundByProcessors(variant) ? "this machine's processors set its rate" : null);

    private static PublishedPair Pair(VariantReport one, VariantReport other)
    {
        var (faster, slower) = RateOf(one) >= RateOf(other) ? (one, other) : (other, one);
        var effect = faster.Rate is null || slower.Rate is null ? null : RatioEffect.From(RatesOf(faster), RatesOf(slower));
        var pair = new PublishedPair
        {
            Faster = faster.Name,
            Slower = slower.Name,
            Published = Math.Round(RateOf(faster)!.Value / RateOf(slower)!.Value, 3),
            Expected = Ratio(faster.ExpectedRate, slower.ExpectedRate),
            Measured = Ratio(faster.Rate?.Value, slower.Rate?.Value),
            Interval95 = effect?.At(),
            Differences = SettingDifferences.Between([faster.Plan, slower.Plan]),
            Verdict = PairVerdict.NotTestable,
        };
        return Judge(pair with { Origin = OriginOf(pair, faster, slower) }, faster, slower);
    }

    /// <summary>The origin by the rules of findings: a ratio that the parameters alone predict is assumed.</summary>
    private static FindingOrigin? OriginOf(PublishedPair pair, VariantReport faster, VariantReport slower)
    {
        if (pair.Interval95 is not { } interval)
            return null;
        if (!faster.Counted.Concat(slower.Counted).Any(run => run.Figures!.Simulated))
            return FindingOrigin.Measured;
        return pair.Expected is { } expected && interval.Contains(expected) ? FindingOrigin.Assumed : FindingOrigin.Emergent;
    }

    private static PublishedPair Judge(PublishedPair pair, VariantReport faster, VariantReport slower)
    {
        if (pair.Published < SeparatedFactor)
        {
            return pair with
            {
                Verdict = PairVerdict.Tie,
                Reason = $"the published rates differ by {Numbers.Percent(pair.Published - 1)} only",
            };
        }

        var untestable = new[] { faster, slower }.Where(variant => WhyNotTestable(variant) is not null).ToList();
        if (untestable.Count > 0)
            return pair with { Reason = string.Join("; ", untestable.Select(variant => $"{variant.Name}: {WhyNotTestable(variant)}")) };
        return pair.Interval95 switch
        {
            null => pair with { Verdict = PairVerdict.Undecided, Reason = "a single repeat has no interval" },
            _ when pair.Origin == FindingOrigin.Assumed => pair with
            {
                Verdict = PairVerdict.Assumed,
                Reason = "the simulated account's parameters alone give the measured ratio",
            },
            { } interval when IsGivenBy(pair, interval) => pair with
            {
                Verdict = PairVerdict.Assumed,
                Reason = "the simulated account's parameters alone give the same order, so only the factor of "
                    + $"{Numbers.Ratio(pair.MeasuredOverExpected!.Value)} emerges",
            },
            { } interval when interval.LiesAbove(1) => pair with { Verdict = PairVerdict.Agrees },
            { } interval when interval.LiesBelow(1) => pair with { Verdict = PairVerdict.Disagrees },
            _ => pair with { Verdict = PairVerdict.Undecided, Reason = "the 95% interval of the measured ratio contains 1" },
        };
    }

    /// <summary>Whether the parameters alone give the order that was measured.</summary>
    private static bool IsGivenBy(PublishedPair pair, Interval measured) => pair.Origin == FindingOrigin.Emergent
        && ((measured.LiesAbove(1) && pair.Expected > 1) || (measured.LiesBelow(1) && pair.Expected < 1));

    /// <summary>Whether processors bound at least half of the runs, as findings count it.</summary>
    private static bool BoundByProcessors(VariantReport variant)
    {
        var runs = variant.Counted.Select(run => run.Figures!).ToList();
        return 2 * runs.Count(figures =>
            figures is { BoundBy: BoundBy.Client or BoundBy.Machine } or { BoundByMachine: true }) >= runs.Count;
    }

    private static IReadOnlyList<double> RatesOf(VariantReport variant) => [.. variant.Counted.Select(run => run.Figures!.Rate!.Value)];

    private static double? Ratio(double? above, double? below) => above > 0 && below > 0 ? Math.Round(above.Value / below.Value, 3) : null;
}
