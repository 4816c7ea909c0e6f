using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// The parametric bootstrap behind a fit's intervals: the measured level means are given as much noise again and fitted again, 200 times
/// and more. Not the law's own means: where a constraint holds the law off them, that would hide how far off they may be. With repeats the
/// noise is relative and pooled over the levels, raised where the levels miss the law by more than their repeats explain; without repeats
/// it is what the levels miss the law by. Where few measurements say how large it is, it is raised to Student's t.
/// </summary>
internal static class ScalabilityResampling
{
    private const int Parameters = 3;
    private const double UpperTail = (1 + RatioEffect.DefaultConfidence) / 2;

    /// <summary>Share of the measured rate below which no drawn one falls, since a rate is positive.</summary>
    private const double LeastShare = 0.01;

    /// <summary>The points that are used, by number of workers.</summary>
    public static ScalabilityLevel[] LevelsOf(IEnumerable<ScalabilityPoint> points) =>
    [
        .. points.Where(point => point.LeftOut is null).GroupBy(point => point.Workers).OrderBy(group => group.Key)
            .Select(group => new ScalabilityLevel(group.Key, group.Average(point => point.Rate), group.Count())),
    ];

    /// <summary>Laws that are as compatible with the points as <paramref name="law"/>; the same for the same points.</summary>
    public static IReadOnlyList<ScalabilityLaw> Draw(ScalabilityLaw law, IReadOnlyList<ScalabilityPoint> points)
    {
        var levels = LevelsOf(points);
        var (deviations, freedom) = NoiseOf(levels, law, points);
        if (deviations.All(deviation => deviation == 0))
            return [law];

        var table = NoiseTable.From(levels.Length);
        var raised = StudentT.InvCDF(0, 1, freedom, UpperTail) / Normal.InvCDF(0, 1, UpperTail);
        var drawn = new ScalabilityLevel[levels.Length];
        var laws = new List<ScalabilityLaw>(2 * table.Length);
        foreach (var noise in table)
        {
            laws.Add(Noisy(levels, deviations, noise, raised, drawn));
            laws.Add(Noisy(levels, deviations, noise, -raised, drawn));
        }

        return laws;
    }

    private static ScalabilityLaw Noisy(
        ScalabilityLevel[] levels, double[] deviations, double[] noise, double factor, ScalabilityLevel[] drawn)
    {
        for (var i = 0; i < levels.Length; i++)
            drawn[i] = levels[i] with
            {
                Rate = Math.Max(LeastShare * levels[i].Rate, levels[i].Rate + (factor * deviations[i] * noise[i])),
            };
        return ScalabilitySolver.Solve(drawn, ScalabilitySolver.Quick);
    }

    /// <summary>Standard deviation of each level's mean, and how many degrees of freedom say so.</summary>
    private static (double[] Deviations, double Freedom) NoiseOf(
        ScalabilityLevel[] levels, ScalabilityLaw law, IReadOnlyList<ScalabilityPoint> points)
    {
        double freedom = levels.Length - Parameters;
        var missed = ScalabilitySolver.ErrorOf(levels, law) / freedom;
        var repeats = points.Where(point => point.LeftOut is null).GroupBy(point => point.Workers)
            .Select(group => LogSample.From([.. group.Select(point => point.Rate)])).Where(sample => sample.Count > 1).ToList();
        if (repeats.Count == 0)
            return ([.. levels.Select(_ => Math.Sqrt(missed))], freedom);

        freedom = repeats.Sum(sample => sample.Count - 1);
        var relative = repeats.Sum(sample => sample.Variance * (sample.Count - 1)) / freedom;
        var expected = levels.Average(level => relative * law.RateAt(level.Workers) * law.RateAt(level.Workers));
        var raised = expected > 0 ? Math.Max(1, missed / expected) : 1;
        return expected > 0
            ? ([.. levels.Select(level => law.RateAt(level.Workers) * Math.Sqrt(relative * raised / level.Count))], freedom)
            : ([.. levels.Select(level => Math.Sqrt(missed / level.Count))], levels.Length - Parameters);
    }
}
