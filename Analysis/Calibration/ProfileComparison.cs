using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Whether an account and a simulated one with its profile give the same: for each variant of an experiment that was run on both, two
/// one-sided tests of the rates and of the 99th percentiles of latency.
/// </summary>
/// <param name="Variant">What was run.</param>
/// <param name="Figure">What is compared.</param>
/// <param name="Effect">Simulated over real; null where a side has fewer than two runs that count, as runs count for findings: complete,
/// with the delays of their physics and a rate of overlap, and not bound by the machine.</param>
/// <param name="Factor">Factor, up or down, within which both count as the same.</param>
public sealed record ProfileComparison(string Variant, string Figure, RatioEffect? Effect, double Factor)
{
    /// <summary>Factor within which rates count as the same.</summary>
    public const double RateFactor = 1.1;

    /// <summary>Factor within which 99th percentiles count as the same.</summary>
    public const double LatencyFactor = 1.2;

    /// <summary>Why there is no effect; null where there is one.</summary>
    public string? Reason { get; init; }

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
               from comparison in Compare(new MeasuredVariant(one.ToResult()), new MeasuredVariant(other.ToResult()))
               select comparison,
        ];
    }

    private static IEnumerable<ProfileComparison> Compare(MeasuredVariant real, MeasuredVariant simulated)
    {
        var reasons = new[] { ("on the account", real), ("on the simulated account", simulated) }
            .Select(side => WhyNot(side.Item2) is { } reason ? $"{side.Item1} {reason}" : null).OfType<string>().ToList();
        var reason = reasons.Count > 0 ? string.Join("; ", reasons) : null;
        RatioEffect? Effect(IReadOnlyList<double>? above, IReadOnlyList<double>? below) =>
            reason is null && above is not null && below is not null ? RatioEffect.From(above, below) : null;

        yield return new(real.Name, "rate", Effect(simulated.Rates, real.Rates), RateFactor) { Reason = reason };
        var percentiles = Effect(simulated.Values(run => run.P99LatencyMs), real.Values(run => run.P99LatencyMs));
        yield return new(real.Name, "p99", percentiles, LatencyFactor)
        {
            Reason = percentiles is null ? reason ?? "not every run has a 99th percentile" : null,
        };
    }

    /// <summary>Why the runs of one side cannot be compared; null when they can.</summary>
    private static string? WhyNot(MeasuredVariant side) =>
        side.NothingUsable ?? ScaleOutRuns.BoundByMachine([side])
        ?? (side.Usable.Any(run => run.OnSaturatedMachine) ? $"a machine that the workers of {side.Name} shared was at its limit" : null)
        ?? (side.Usable.Count < 2 ? string.Join(" ", side.LeftOutNotes.Prepend("too few runs are usable.")).TrimEnd('.') : null);

    /// <summary>Such as <c>point reads, rate: 1.02 x (90% interval 0.98 to 1.05): the same within 10%</c>.</summary>
    public string Describe()
    {
        var within = $"within {Numbers.Percent(Factor - 1)}";
        if (Effect is null)
            return $"{Variant}, {Figure}: not compared: {Reason}";
        var interval = Effect.At(Equivalence.Confidence);
        var verdict = IsSame switch { true => $"the same {within}", false => $"not the same {within}", null => $"undecided {within}" };
        return $"{Variant}, {Figure}: {Numbers.Brief(Effect.Ratio)} x (90% interval {Numbers.Brief(interval.Low)} to "
            + $"{Numbers.Brief(interval.High)}): {verdict}";
    }
}
