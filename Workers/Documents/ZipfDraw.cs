namespace ScaleOut.Workers.Documents;

/// <summary>
/// Draws ranks by the law of Zipf: the chance of rank n, from 1, is in proportion to n^-exponent. One uniform number gives one rank, so
/// that a document's rank is a function of its number alone.
/// </summary>
internal sealed class ZipfDraw
{
    /// <summary>The places of a template that draw alike share a table, and so do the sources of a process.</summary>
    private static readonly ConcurrentDictionary<(int Values, double Exponent), ZipfDraw> Draws = new();

    private readonly double[] _sums;

    private ZipfDraw(int values, double exponent)
    {
        _sums = new double[values];
        // The smallest first, so that rounding does not add up.
        for (var rank = values; rank >= 1; rank--)
            _sums[rank - 1] = Math.Pow(rank, -exponent) + (rank == values ? 0 : _sums[rank]);
    }

    public static ZipfDraw For(int values, double exponent) => Draws.GetOrAdd((values, exponent), key => new(key.Values, key.Exponent));

    /// <summary>The rank, counted from 0.</summary>
    /// <param name="share">Uniform, from 0 on, below 1.</param>
    public int RankAt(double share)
    {
        // An item of the table is the sum of the chances from its rank on, so the table falls.
        var sought = (1 - share) * _sums[0];
        var (low, high) = (0, _sums.Length - 1);
        while (low < high)
        {
            var middle = (low + high + 1) / 2;
            if (_sums[middle] >= sought)
                low = middle;
            else
                high = middle - 1;
        }

        return low;
    }
}
