using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>
/// Draws that cover each of several ranges evenly however few they are: in every dimension each of n equal parts of the range holds exactly
/// one of n draws.
/// </summary>
internal static class LatinHypercube
{
    /// <summary>Of so many hypercubes the one is taken whose dimensions are least correlated: few draws cannot separate those that are.
    /// </summary>
    private const int Candidates = 100;

    /// <summary>The draws, each with a share of the range for every dimension, from 0 to below 1; the same for the same seed.</summary>
    public static IReadOnlyList<IReadOnlyList<double>> Draw(int dimensions, int draws, int seed)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(dimensions, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(draws, 1);
        var random = new Random(seed);
        var columns = Enumerable.Range(0, Candidates)
            .Select(_ => Enumerable.Range(0, dimensions).Select(_ => Column(random, draws)).ToList())
            .MinBy(Correlation)!;
        return [.. Enumerable.Range(0, draws).Select(draw => (IReadOnlyList<double>)[.. columns.Select(column => column[draw])])];
    }

    private static double[] Column(Random random, int draws)
    {
        var parts = Enumerable.Range(0, draws).ToArray();
        random.Shuffle(parts);
        return [.. parts.Select(part => (part + random.NextDouble()) / draws)];
    }

    /// <summary>The largest correlation of two dimensions, whatever its sign.</summary>
    private static double Correlation(List<double[]> columns)
    {
        var largest = 0d;
        for (var i = 0; i < columns.Count; i++)
        {
            for (var j = 0; j < i; j++)
                largest = Math.Max(largest, Math.Abs(RankCorrelation.Spearman(columns[i], columns[j]) ?? 0));
        }

        return largest;
    }
}
