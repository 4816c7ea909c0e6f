using MathNet.Numerics.Statistics;

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
        var (columns, least) = (new List<DrawnDimension>(), double.PositiveInfinity);
        for (var i = 0; i < Candidates; i++)
        {
            var candidate = Enumerable.Range(0, dimensions).Select(_ => DrawnDimension.Create(random, draws)).ToList();
            if (LargestCorrelation(candidate, least) is var correlation && correlation < least)
                (columns, least) = (candidate, correlation);
        }

        return [.. Enumerable.Range(0, draws).Select(draw => (IReadOnlyList<double>)[.. columns.Select(column => column.Values[draw])])];
    }

    /// <summary>The largest correlation of two dimensions' ranks, whatever its sign; one that is too large ends the search.</summary>
    private static double LargestCorrelation(List<DrawnDimension> columns, double tooLarge)
    {
        var largest = 0d;
        // A single draw has no correlation.
        if (columns[0].Ranks.Length == 1)
            return largest;
        for (var i = 0; i < columns.Count; i++)
        {
            for (var j = 0; j < i && largest < tooLarge; j++)
                largest = Math.Max(largest, Math.Abs(Correlation.Pearson(columns[i].Ranks, columns[j].Ranks)));
        }

        return largest;
    }

    /// <summary>One dimension: the part of the range that each draw lies in, and the share within the whole range.</summary>
    private sealed record DrawnDimension(double[] Ranks, double[] Values)
    {
        public static DrawnDimension Create(Random random, int draws)
        {
            var parts = Enumerable.Range(0, draws).ToArray();
            random.Shuffle(parts);
            return new DrawnDimension(
                [.. parts.Select(part => part + 1d)], [.. parts.Select(part => (part + random.NextDouble()) / draws)]);
        }
    }
}
