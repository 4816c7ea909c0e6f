using ScaleOut.Charges;
using ScaleOut.Profiles;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Makes charge figures of observed charges. Where all charges of an operation are equal, as they should be, its interval is what rounding
/// to two decimals leaves open; where they differ, their spread is added.
/// </summary>
public static class ChargeEstimator
{
    /// <summary>How far a stated charge is from the true one at most.</summary>
    public const double Rounding = 0.005;

    /// <summary>What binary fractions make of two decimals.</summary>
    private const double Epsilon = 1e-9;

    public static ChargeFigures Estimate(IReadOnlyList<ChargeObservation> observations)
    {
        ArgumentNullException.ThrowIfNull(observations);
        var figures = new ChargeFigures
        {
            Reads = BySize(observations.Where(one => one.Kind == ChargedKind.Read)),
            Writes = BySize(observations.Where(one => one is { Kind: ChargedKind.Create, IndexEntries: 0 })),
            PerIndexedTerm = PerIndexedTerm([.. observations.Where(one => one.Kind == ChargedKind.Create)]),
        };
        figures = figures with { PerPatchedProperty = PerPatchedProperty(observations, figures.PerIndexedTerm) };
        figures = WithQueries(figures, [.. observations.Where(one => one.Kind == ChargedKind.Query)]);
        return figures with { Checks = ChargeChecks.From(figures, observations) };
    }

    private static List<SizeFigure> BySize(IEnumerable<ChargeObservation> observations) =>
    [
        .. observations.GroupBy(one => one.Bytes).OrderBy(group => group.Key)
            .Select(group => new SizeFigure(group.Key, Mean([.. group.Select(one => one.RequestUnits)]))),
    ];

    /// <summary>A charge that was stated several times.</summary>
    internal static MeasuredFigure Mean(IReadOnlyList<double> charges)
    {
        var mean = charges.Average();
        var squares = charges.Sum(charge => (charge - mean) * (charge - mean));
        var spread = charges.Count > 1 && charges.Max() - charges.Min() > Epsilon
            ? Confidence.Student95(charges.Count) * Math.Sqrt(squares / (charges.Count - 1) / charges.Count)
            : 0;
        return Within(mean, spread + Rounding, charges.Count);
    }

    /// <summary>The slope of creates over their index entries; each size has a charge of its own without any.</summary>
    private static MeasuredFigure? PerIndexedTerm(IReadOnlyList<ChargeObservation> creates)
    {
        var sizes = creates.Select(one => one.Bytes).Distinct().Order().ToList();
        if (creates.All(one => one.IndexEntries == 0))
            return null;
        var fit = LinearFit.From(
            [.. creates.Select(one => Row(one.IndexEntries, sizes.IndexOf(one.Bytes), sizes.Count))],
            [.. creates.Select(one => one.RequestUnits)]);
        return fit is null ? null : Within(fit[0], fit.ReachOfRounded(0, Rounding), creates.Count);
    }

    /// <summary>
    /// The slope of patches over their operations, less the index entries that each operation changes. Patch and replace round their parts
    /// on their own, so a charge is off by up to three roundings.
    /// </summary>
    private static MeasuredFigure? PerPatchedProperty(IReadOnlyList<ChargeObservation> observations, MeasuredFigure? perTerm)
    {
        var patches = observations.Where(one => one.Kind == ChargedKind.Patch).ToList();
        if (perTerm is null || patches.Count == 0)
            return null;
        var fit = LinearFit.From(
            [.. patches.Select(one => new double[] { one.Operations, 1 })],
            [.. patches.Select(one => one.RequestUnits - (perTerm.Value * one.IndexEntries))]);
        var perOperation = patches.Max(one => one.IndexEntries / (double)one.Operations);
        return fit is null
            ? null
            : Within(fit[0], fit.ReachOfRounded(0, 3 * Rounding) + (perOperation * perTerm.Reach()), patches.Count);
    }

    /// <summary>
    /// Base, look-ups, loaded and returned documents in one fit. Documents count by the measured read charges, whose own rounding is a
    /// part of the interval.
    /// </summary>
    private static ChargeFigures WithQueries(ChargeFigures figures, IReadOnlyList<ChargeObservation> queries)
    {
        if (figures.Reads.Count < 2 || queries.Count == 0)
            return figures;
        var reads = ReadModel(figures);
        var fit = LinearFit.From(
            [
                .. queries.Select(one => new[]
                {
                    1, one.Lookups, one.Loaded * reads.QueryLoaded(one.Bytes), one.Returned * reads.QueryReturned(one.ReturnedBytes),
                }),
            ],
            [.. queries.Select(one => one.RequestUnits)]);
        if (fit is null)
            return figures;
        var readError = figures.Reads.Max(read => read.RequestUnits.Reach() / read.RequestUnits.Value);
        MeasuredFigure Figure(int unknown, double share) => Within(
            fit[unknown], fit.ReachOfRounded(unknown, Rounding) + (share * Math.Abs(fit[unknown]) * readError), queries.Count);
        return figures with
        {
            PerQueryPage = Figure(0, 0), PerIndexLookup = Figure(1, 0), LoadedShare = Figure(2, 1), ReturnedShare = Figure(3, 1),
        };
    }

    /// <summary>A model in which a query's documents cost exactly their measured read charges.</summary>
    private static ChargeModel ReadModel(ChargeFigures figures)
    {
        IReadOnlyList<SizeCharge> points = [.. figures.Reads.Select(read => new SizeCharge(read.Bytes, read.RequestUnits.Value))];
        return new ChargeModel(points, points, 0, 0, new QueryCharges { Page = 0, Lookup = 0, LoadedShare = 1, ReturnedShare = 1 });
    }

    private static double[] Row(double slope, int level, int levels)
    {
        var row = new double[levels + 1];
        (row[0], row[level + 1]) = (slope, 1);
        return row;
    }

    private static MeasuredFigure Within(double value, double reach, int count) =>
        new(value, value - reach - Epsilon, value + reach + Epsilon, count);
}
