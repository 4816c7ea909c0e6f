namespace ScaleOut.Analysis.Experiments.Planning;

/// <summary>Warns before an experiment begins of findings that so few repeats hardly decide.</summary>
public static class RepeatWarnings
{
    /// <summary>
    /// Standard deviation of the repeats of a variant, as a share, at which they should decide: about the largest of those measured on two
    /// cores that did nothing else, 0.4% to 3.3%.
    /// </summary>
    private const double Scatter = 0.035;

    /// <summary>The warnings of a valid spec. A gain that is large enough is shown by any two repeats, so there is none of gains.</summary>
    public static IEnumerable<string> From(ExperimentSpec spec)
    {
        if (spec.Findings.Count > 0 && spec.Repeats < RatioEffect.MinValues)
        {
            yield return "repeats: a single run of a variant has no interval, so that findings which need one stay undecided.";
            yield break;
        }

        var undecided = from finding in spec.Findings
                        let test = FindingCatalog.TestOf(finding.Kind)
                        where test.IsSameness
                        group finding.Id ?? FindingCatalog.NameOf(finding.Kind) by test.ThresholdOf(finding) into ofOne
                        where MostScatter(ofOne.Key, spec.Repeats) < Scatter
                        select ofOne;
        foreach (var ofOne in undecided)
        {
            var enough = Enumerable.Range(spec.Repeats, RepeatsToDecide.Max).Cast<int?>()
                .FirstOrDefault(repeats => MostScatter(ofOne.Key, repeats!.Value) >= Scatter);
            yield return
                $"repeats: {spec.Repeats} show that rates are the same within a factor of {ofOne.Key:0.####} only where the repeats of a "
                    + $"variant differ by less than {MostScatter(ofOne.Key, spec.Repeats):0.0%} (one standard deviation); "
                    + $"{(enough is null ? "no usual number" : $"{enough}")} would do at {Scatter:0.#%}. The claim of "
                    + $"{string.Join(", ", ofOne.Distinct())}.";
        }
    }

    /// <summary>The largest scatter at which the 90% interval around equal rates lies within the factor.</summary>
    private static double MostScatter(double factor, int repeats) =>
        Math.Log(factor) / (StudentQuantile.At(2 * (repeats - 1), Equivalence.Confidence) * Math.Sqrt(2.0 / repeats));
}
