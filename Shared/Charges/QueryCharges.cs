namespace ScaleOut.Charges;

/// <summary>
/// The charge of a page of a query, by the documented factors: a base, each look-up in the index, each document loaded and each document
/// returned. A document counts by its read charge, which has no steps here. Below the table's first point it falls in proportion to the
/// size, so small documents of a page are not each charged for a whole KB.
/// </summary>
public sealed record QueryCharges
{
    /// <summary>RU of each page from each physical partition, even of an empty page.</summary>
    public required double Page { get; init; }

    /// <summary>RU of each condition or ORDER BY that the index serves, on each page.</summary>
    public required double Lookup { get; init; }

    /// <summary>Share of its read charge that each loaded document costs, including documents that a scan rejects.</summary>
    public required double LoadedShare { get; init; }

    /// <summary>Share of its read charge that each returned document costs in addition to <see cref="LoadedShare"/>.</summary>
    public required double ReturnedShare { get; init; }

    /// <summary>
    /// Fits the charges to points by least squares of the relative errors. The charge of a look-up must be given: nearly every published
    /// query has one look-up, so the points do not separate it from the base.
    /// </summary>
    /// <param name="points">At least three that differ in pages, scanned and returned documents; other operations are skipped.</param>
    internal static QueryCharges Fit(IEnumerable<ChargePoint> points, SizeCurve read, double lookup)
    {
        var sums = new double[3, 4];
        foreach (var point in points)
        {
            if (point.Operation is not ChargedQuery query)
                continue;
            var document = read.Smooth(query.DocumentBytes);
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
        return new QueryCharges
        {
            // Four decimals can be written into a profile and read back without loss.
            Page = Math.Round(solution[0], 4), Lookup = lookup, LoadedShare = Math.Round(solution[1], 4),
            ReturnedShare = Math.Round(solution[2], 4),
        };
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
