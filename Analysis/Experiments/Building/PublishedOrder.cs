using System.Globalization;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Analysis.Experiments.Building;

/// <summary>Sets published rates beside measured ones and compares their order.</summary>
public static class PublishedOrder
{
    /// <summary>Factor from which the specs' physics separates two variants.</summary>
    public const double SeparatedFactor = 1.1;

    /// <summary>
    /// Factor below which two published figures, each of one run, have no order: repeats of one setting differ by as much, and findings
    /// call it negligible.
    /// </summary>
    public const double PublishedTieFactor = Equivalence.NegligibleFactor;

    /// <summary>Compares; null when nothing was published.</summary>
    public static PublishedComparison? From(IReadOnlyList<VariantReport> variants)
    {
        ArgumentNullException.ThrowIfNull(variants);
        var published = variants.Where(variant => variant.Published is not null).ToList();
        if (published.Count == 0)
            return null;
        var rated = published.Where(variant => RateOf(variant) is not null).ToList();
        var both = rated.Where(variant => variant.Rate is not null).ToList();
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
        NotTestable = variant.Rate is null ? variant.NotMeasured : null,
    };

    private static string? DifferenceOf(VariantReport variant)
    {
        if (variant.Rate is null)
            return null;
        var bounds = variant.Usable.Select(run => run.Figures!.BoundBy).Distinct().ToList();
        return bounds.Count > 1 ? $"bound by {string.Join(" or ", bounds.Select(Words.From))}" : bounds[0] switch
        {
            BoundBy.RequestUnits => "at the budget: what the clients could do beyond it does not show",
            BoundBy.Partition => "at one partition's budget",
            BoundBy.Client => "bound by the clients' CPU, which is this machine's",
            BoundBy.Machine => "bound by this machine, which the account shares",
            BoundBy.Rate => "at the rate asked for",
            _ => variant.Usable.Any(run => run.Figures!.Simulated) ? "bound by the simulated latency" : "bound by this network's latency",
        };
    }

    private static PublishedPair Pair(VariantReport one, VariantReport other)
    {
        var (faster, slower) = RateOf(one) >= RateOf(other) ? (one, other) : (other, one);
        var pair = new PublishedPair
        {
            Faster = faster.Name,
            Slower = slower.Name,
            Published = Math.Round(RateOf(faster)!.Value / RateOf(slower)!.Value, 3),
            Expected = Ratio(faster.ExpectedRate, slower.ExpectedRate),
            Measured = Ratio(faster.Rate?.Value, slower.Rate?.Value),
            Verdict = PairVerdict.NotTestable,
        };
        return Judge(pair, faster, slower);
    }

    private static PublishedPair Judge(PublishedPair pair, VariantReport faster, VariantReport slower)
    {
        var missing = new[] { faster, slower }.Where(variant => variant.Rate is null).ToList();
        if (missing.Count > 0)
            return pair with { Reason = string.Join("; ", missing.Select(variant => $"{variant.Name}: {variant.NotMeasured}")) };
        if (pair.Expected is not { } expected)
            return pair with { Reason = "budget or latency of the spec are not known" };
        if (Factor(expected) < SeparatedFactor)
            return pair with { Verdict = PairVerdict.Tie, Reason = $"budget and latency separate them by {Percent(expected)} only" };
        if (pair.Published < PublishedTieFactor)
            return pair with { Verdict = PairVerdict.Tie, Reason = $"the published rates differ by {Percent(pair.Published)} only" };
        if (BoundByClients(faster) && BoundByClients(slower))
            return pair with { Reason = "both are bound by the clients or by this machine" };
        if (BoundByClients(faster) && pair.Measured < SeparatedFactor)
            return pair with
            {
                Reason = $"{faster.Name} is bound by the clients or by this machine, at a rate that {slower.Name} reaches without it",
            };
        return pair with { Verdict = pair.Measured >= 1 ? PairVerdict.Agrees : PairVerdict.Disagrees };
    }

    /// <summary>As findings see it: at least half of the runs.</summary>
    private static bool BoundByClients(VariantReport variant)
    {
        var runs = variant.Usable.Select(run => run.Figures!).ToList();
        return 2 * runs.Count(figures =>
            figures is { BoundBy: BoundBy.Client or BoundBy.Machine } or { BoundByMachine: true }) >= runs.Count;
    }

    private static double? Ratio(double? above, double? below) => above > 0 && below > 0 ? Math.Round(above.Value / below.Value, 3) : null;

    private static double Factor(double ratio) => Math.Max(ratio, 1 / ratio);

    private static string Percent(double ratio) => ((Factor(ratio) - 1) * 100).ToString("0.#", CultureInfo.InvariantCulture) + "%";
}
