using MathNet.Numerics.Distributions;

namespace ScaleOut.Statistics;

/// <summary>
/// The parametric bootstrap behind a fit's intervals: the law's own level means are given the noise that was measured and fitted again, 500 times.
/// With repeats the noise is relative and pooled over the levels, raised where the levels miss the law by more than their repeats explain; without repeats it is
/// what the levels miss the law by. Each draw scales it by the uncertainty of the noise itself, as Student's t does.
/// </summary>
internal static class ScalabilityResampling
{
    private const int Draws = 500;
    private const int Seed = 20_261_121;
    private const int Parameters = 3;

    /// <summary>Share of the law below which no drawn rate falls, since a rate is positive.</summary>
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

        var random = new Random(Seed);
        var drawn = new ScalabilityLevel[levels.Length];
        var laws = new ScalabilityLaw[Draws];
        for (var draw = 0; draw < Draws; draw++)
        {
            var scale = Math.Sqrt(freedom / ChiSquared.Sample(random, freedom));
            for (var i = 0; i < levels.Length; i++)
            {
                var mean = law.RateAt(levels[i].Workers);
                drawn[i] = levels[i] with { Rate = Math.Max(LeastShare * mean, mean + (scale * deviations[i] * Normal.Sample(random, 0, 1))) };
            }

            laws[draw] = ScalabilitySolver.Solve(drawn);
        }

        return laws;
    }

    /// <summary>Standard deviation of each level's mean, and how many degrees of freedom say so.</summary>
    private static (double[] Deviations, double Freedom) NoiseOf(ScalabilityLevel[] levels, ScalabilityLaw law, IReadOnlyList<ScalabilityPoint> points)
    {
        double freedom = levels.Length - Parameters;
        var missed = ScalabilitySolver.ErrorOf(levels, law) / freedom;
        var repeats = points.Where(point => point.LeftOut is null).GroupBy(point => point.Workers)
            .Select(group => LogSample.Of([.. group.Select(point => point.Rate)])).Where(sample => sample.Count > 1).ToList();
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
