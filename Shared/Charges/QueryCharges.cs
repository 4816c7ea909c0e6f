namespace ScaleOut.Charges;

/// <summary>
/// What a page of a query is charged, by the documented factors: a base, each look-up in the index, each document that is loaded and each
/// that is returned. A document counts by its read charge, which for this purpose falls in proportion to its size below the first point
/// of the table: no minimum of 1 KB for each document of a page.
/// </summary>
public sealed record QueryCharges
{
    /// <summary>RU of each page from each physical partition, whether anything is found or not.</summary>
    public required double Page { get; init; }

    /// <summary>RU of each condition or ORDER BY that the index serves, on each page.</summary>
    public required double Lookup { get; init; }

    /// <summary>Part of its read charge that each loaded document costs, also one that a scan rejects.</summary>
    public required double LoadedShare { get; init; }

    /// <summary>Part of its read charge that each returned document costs beside <see cref="LoadedShare"/>.</summary>
    public required double ReturnedShare { get; init; }

    /// <summary>
    /// Least squares of the relative errors at some points. A look-up's charge is given: with one look-up in nearly every published query,
    /// they do not separate it from the base.
    /// </summary>
    /// <param name="points">At least three that differ in pages, scanned and returned documents; other operations are skipped.</param>
    internal static QueryCharges Fit(IEnumerable<ChargePoint> points, SizeCurve read, double lookup)
    {
        var sums = new double[3, 4];
        foreach (var point in points)
        {
            if (point.Operation is not ChargedQuery query)
                continue;
            var document = read.Proportional(query.DocumentBytes);
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
            // So that the figures can be written down and given to another account without loss.
            Page = Math.Round(solution[0], 4), Lookup = lookup, LoadedShare = Math.Round(solution[1], 4),
            ReturnedShare = Math.Round(solution[2], 4),
        };
    }

    /// <summary>Gauss's elimination of normal equations, which are positive definite, so that no pivot has to be searched.</summary>
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
