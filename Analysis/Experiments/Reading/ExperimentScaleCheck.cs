namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>Whether the runs of a scaled experiment are long enough to measure anything.</summary>
public static class ExperimentScaleCheck
{
    /// <summary>Least time of a run in seconds. The first seconds of a run are its warm-up and are in no rate.</summary>
    public const double MinRunSeconds = 5;

    /// <summary>
    /// An error that names a run which the spec's scale makes too short, and the smallest scale that works; null if there is none.
    /// </summary>
    /// <param name="spec">A valid spec of variants. Runs that are too short in full size, or of unknown length, are left out.</param>
    public static string? ErrorOf(ExperimentSpec spec)
    {
        var seconds = SecondsAt(spec, spec.Scale);
        var judged = JudgedOf(SecondsAt(spec, 1));
        if (judged.All(variant => seconds[variant] >= MinRunSeconds))
            return null;

        var shortest = judged.MinBy(variant => seconds[variant]);
        return $"at {spec.Scale:0.######} a run of '{spec.Variants[shortest].Name}' takes about {Numbers.Brief(seconds[shortest])} s, less "
                + $"than the {MinRunSeconds} s without which its figures are mostly its start. The smallest scale that works is "
                + $"{SmallestOf(spec):0.######}.";
    }

    /// <summary>The smallest scale that leaves each run long enough; 1 if only the full size does. Null if any scale does.</summary>
    /// <param name="spec">As for <see cref="ErrorOf"/>.</param>
    public static double? SmallestOf(ExperimentSpec spec)
    {
        var full = SecondsAt(spec, 1);
        var judged = JudgedOf(full);
        if (judged.Count == 0)
            return null;
        var least = RoundedUp(judged.Max(variant => MinRunSeconds / full[variant]!.Value));
        // The warm-up and whole documents make the time no exact multiple of the scale.
        while (least < 1 && judged.Any(variant => SecondsAt(spec, least)[variant] < MinRunSeconds))
            least = RoundedUp(Math.Min(1, least * 1.02));
        return least;
    }

    /// <summary>The variants whose runs are long enough in full size.</summary>
    private static List<int> JudgedOf(List<double?> full) =>
        [.. Enumerable.Range(0, full.Count).Where(variant => full[variant] >= MinRunSeconds)];

    private static List<double?> SecondsAt(ExperimentSpec spec, double scale) =>
        [.. ExperimentEstimate.From(spec with { Scale = scale }, RunTarget.SimulatedAccount).Variants.Select(estimate => estimate.Seconds)];

    /// <summary>Two significant digits, so that it is easy to type.</summary>
    private static double RoundedUp(double scale)
    {
        var unit = Math.Pow(10, Math.Floor(Math.Log10(scale)) - 1);
        return Math.Min(1, Math.Ceiling((scale / unit) - 1e-9) * unit);
    }
}
