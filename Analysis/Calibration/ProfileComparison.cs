using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Whether an account and a simulated one with its profile give the same: for each variant of an experiment that was run on both, two
/// one-sided tests of the rates and of the 99th percentiles of latency.
/// </summary>
/// <param name="Variant">What was run.</param>
/// <param name="Figure">What is compared.</param>
/// <param name="Effect">Simulated over real; null where a side has fewer than two usable runs.</param>
/// <param name="Factor">Factor, up or down, within which both count as the same.</param>
public sealed record ProfileComparison(string Variant, string Figure, RatioEffect? Effect, double Factor)
{
    /// <summary>Factor within which rates count as the same.</summary>
    public const double RateFactor = 1.1;

    /// <summary>Factor within which 99th percentiles count as the same.</summary>
    public const double LatencyFactor = 1.2;

    /// <summary>Whether both are shown to be the same, or shown to differ; null where the runs decide neither.</summary>
    public bool? IsSame => Effect is null ? null
        : Equivalence.IsShown(Effect, Equivalence.BandOf(Factor)) ? true
        : Equivalence.IsRefuted(Effect, Equivalence.BandOf(Factor)) ? false
        : null;

    /// <summary>Compares all variants.</summary>
    /// <param name="real">On the account.</param>
    /// <param name="simulated">The same experiment on simulated accounts with the profile.</param>
    public static IReadOnlyList<ProfileComparison> From(ExperimentReport real, ExperimentReport simulated)
    {
        ArgumentNullException.ThrowIfNull(real);
        ArgumentNullException.ThrowIfNull(simulated);
        return
        [
            .. from one in real.Variants
               join other in simulated.Variants on one.Name equals other.Name
               from comparison in (ProfileComparison[])
               [
                   new(one.Name, "rate", RatioEffect.From(Rates(other), Rates(one)), RateFactor),
                   new(one.Name, "p99", RatioEffect.From(Percentiles(other), Percentiles(one)), LatencyFactor),
               ]
               select comparison,
        ];
    }

    /// <summary>Such as <c>point reads, rate: 1.02 x (90% interval 0.98 to 1.05): the same within 10%</c>.</summary>
    public string Describe()
    {
        var within = $"within {Numbers.Percent(Factor - 1)}";
        if (Effect is null)
            return $"{Variant}, {Figure}: not compared, too few runs are usable";
        var interval = Effect.At(Equivalence.Confidence);
        var verdict = IsSame switch { true => $"the same {within}", false => $"not the same {within}", null => $"undecided {within}" };
        return $"{Variant}, {Figure}: {Numbers.Brief(Effect.Ratio)} x (90% interval {Numbers.Brief(interval.Low)} to "
            + $"{Numbers.Brief(interval.High)}): {verdict}";
    }

    private static List<double> Rates(VariantReport variant) => [.. Counting(variant).Select(run => run.Figures!.Rate!.Value)];

    /// <summary>Runs that are complete and whose delays were those of the physics.</summary>
    private static IEnumerable<RunDigest> Counting(VariantReport variant) =>
        variant.Usable.Where(run => run.Figures is { CountsForFindings: true });

    private static List<double> Percentiles(VariantReport variant) =>
        [.. Counting(variant).Select(run => run.OperationLatencyMs?.P99).Where(p99 => p99 is > 0).Select(p99 => p99!.Value)];
}
