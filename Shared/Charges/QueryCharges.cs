namespace ScaleOut.Charges;

/// <summary>
/// The charge of a page of a query, by the documented factors: a base, each look-up in the index, each document loaded and each document
/// returned. Its documents have a curve of their own (<see cref="CurveFrom"/>).
/// </summary>
public sealed record QueryCharges
{
    /// <summary>RU of each page from each physical partition, even of an empty page.</summary>
    public required double Page { get; init; }

    /// <summary>RU of each condition or ORDER BY that the index serves, on each page.</summary>
    public required double Lookup { get; init; }

    /// <summary>Share of its charge by size that each loaded document costs, including documents that a scan rejects.</summary>
    public required double LoadedShare { get; init; }

    /// <summary>Share of its charge by size that each returned document costs in addition to <see cref="LoadedShare"/>.</summary>
    public required double ReturnedShare { get; init; }

    /// <summary>How much of a read's growth with the size a query's documents have, as an exponent; 1 for all of it.</summary>
    public required double SizeExponent { get; init; }

    /// <summary>
    /// A document's charge by size: at the first point that of a read, beyond it growing less by <see cref="SizeExponent"/>, without
    /// steps. Below the first point it falls in proportion to the size, so small documents of a page are not each charged for a whole KB.
    /// </summary>
    internal SizeCurve CurveFrom(IReadOnlyList<SizeCharge> reads)
    {
        var first = reads[0].RequestUnits;
        return new SizeCurve(
            [.. reads.Select(point => point with { RequestUnits = first * Math.Pow(point.RequestUnits / first, SizeExponent) })]);
    }

    /// <summary>
    /// Fits the charges to points by least squares of the relative errors, for the exponent that leaves the smallest ones. The charge of a
    /// look-up must be given: nearly every published query has one look-up, so the points do not separate it from the base.
    /// </summary>
    /// <param name="points">At least three that differ in pages, scanned and returned documents; other operations are skipped.</param>
    internal static QueryCharges Fit(IEnumerable<ChargePoint> points, IReadOnlyList<SizeCharge> reads, double lookup)
    {
        List<ChargePoint> queries = [.. points.Where(point => point.Operation is ChargedQuery)];
        return Enumerable.Range(50, 51).Select(percent => Fit(queries, reads, lookup, percent / 100.0))
            .MinBy(fit => fit.SumOfSquares(queries, reads))!;
    }

    private static QueryCharges Fit(List<ChargePoint> points, IReadOnlyList<SizeCharge> reads, double lookup, double exponent)
    {
        var start = new QueryCharges { Page = 0, Lookup = lookup, LoadedShare = 0, ReturnedShare = 0, SizeExponent = exponent };
        var curve = start.CurveFrom(reads);
        var sums = new double[3, 4];
        foreach (var point in points)
        {
            var query = (ChargedQuery)point.Operation;
            var document = curve.Smooth(query.DocumentBytes);
            double[] row =
            [
                query.Pages, (query.Returned + query.Scanned) * document, query.Returned * document,
                point.RequestUnits - (lookup * query.Lookups * query.Pages),
            ];
            for (var i = 0; i < 3; i++)
            {
                for (var j = 0; j < 4; j++)
                    sums[i, j] += row[i] / point.RequestUnits * row[j] / point.RequestUnits;
            }
        }

        var solution = Solve(sums);
        return start with
        {
            // Four decimals can be written into a profile and read back without loss.
            Page = Math.Round(solution[0], 4), LoadedShare = Math.Round(solution[1], 4), ReturnedShare = Math.Round(solution[2], 4),
        };
    }

    /// <summary>Sum of the squared relative errors.</summary>
    private double SumOfSquares(List<ChargePoint> points, IReadOnlyList<SizeCharge> reads)
    {
        var model = new ChargeModel(reads, reads, IndexCharges.Documented, 0, this);
        return points.Sum(point => Math.Pow(point.ErrorOf(model), 2));
    }

    /// <summary>Gaussian elimination. Normal equations are positive definite, so no search for a pivot is needed.</summary>
    private static double[] Solve(double[,] equations)
    {
        for (var pivot = 0; pivot < 3; pivot++)
        {
            for (var row = 0; row < 3; row++)
            {
                var factor = row == pivot ? 0 : equations[row, pivot] / equations[pivot, pivot];
                for (var column = pivot; column < 4; column++)
                    equations[row, column] -= factor * equations[pivot, column];
            }
        }

        return [.. Enumerable.Range(0, 3).Select(i => equations[i, 3] / equations[i, i])];
    }
}
