namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>Claims as sentences, with their thresholds.</summary>
internal static class Claims
{
    /// <summary>A claim of a gain; with a threshold above 1 it says by how much.</summary>
    public static string Gain(string claim, double threshold) =>
        threshold > 1 ? $"{claim}: more than {Say.Ratio(threshold)} times." : $"{claim}.";

    /// <summary>A claim that something makes no difference but for a factor.</summary>
    public static string Sameness(string claim, double factor) =>
        $"{claim} (the rate stays within {Say.Ratio(1 / factor)} to {Say.Ratio(factor)} times).";
}

/// <summary>Variants that ascend in something.</summary>
internal static class Ladders
{
    /// <summary>Whether each variant has more of it than the one before.</summary>
    public static bool Ascend(IReadOnlyList<RunSpec> variants, Func<RunSpec, double> of) =>
        variants.Zip(variants.Skip(1)).All(step => of(step.First) < of(step.Second));
}

/// <summary>Claims about indexing say something only where the account kept the mode that was asked for.</summary>
internal static class KeptIndexing
{
    /// <summary>Why the variants cannot be compared; null when each kept its mode.</summary>
    public static string? Obstacle(FindingCase given)
    {
        foreach (var variant in given.Variants)
        {
            var mode = variant.Spec.Container.Indexing;
            if (variant.Usable.Any(figures => figures.KeptIndexing == false))
                return $"the account did not keep {mode} indexing";
            if (mode == IndexingMode.Lazy && variant.Usable.Any(figures => figures is { KeptIndexing: null, Simulated: false }))
                return $"it is not known whether the account kept {mode} indexing";
        }

        return null;
    }
}

/// <summary>What claims ask of the machines that the workers ran on.</summary>
internal static class ScaleOutRuns
{
    /// <summary>
    /// Why runs that share a machine at its limit say nothing of the account or its clients; null when none of the variants was bound so.
    /// </summary>
    public static string? BoundByMachine(IEnumerable<MeasuredVariant> variants)
    {
        var bound = variants.Where(variant => variant.IsBoundByMachine).Select(variant => variant.Name).ToList();
        return bound.Count == 0 ? null : $"the shared machine bound the runs of {string.Join(", ", bound)}";
    }
}

/// <summary>Phrases that the findings' sentences share.</summary>
internal static class Say
{
    public const string SingleRepeat = "a single run of a variant has no interval; repeat the experiment";

    /// <summary>Why a run with slipped delays counts for nothing.</summary>
    public const string Slipped = "the simulated account gave its responses later than its latency says, because the machine was too busy";

    /// <summary>Why a claim that depends on the layout cannot be tested on some variants.</summary>
    public static string Capped(IReadOnlyList<string> variants) =>
        $"the simulated account gave {string.Join(", ", variants)} other physical partitions than the service does, and the claim depends "
            + "on them";

    /// <summary>A ratio with three significant digits.</summary>
    public static string Ratio(double ratio) => Numbers.Brief(ratio);

    /// <summary>A 95% interval in brackets, with a space before it; nothing without one.</summary>
    public static string Within(Interval? interval) =>
        interval is { } known ? $" (95% interval{Text(known)})" : "";

    /// <summary>A 90% interval in brackets, with a space before it; nothing without one.</summary>
    public static string Within90(Interval? interval) =>
        interval is { } known ? $" (90% interval{Text(known)})" : "";

    private static string Text(Interval interval) =>
        interval.IsTooWide ? ": too few repeats" : $" {Numbers.Brief(interval.Low)} to {Numbers.Brief(interval.High)}";

    /// <summary>A limit in words.</summary>
    public static string Cap(BoundBy cap) => cap switch
    {
        BoundBy.RequestUnits => "request units",
        BoundBy.Partition => "one physical partition",
        BoundBy.Client => "the clients' CPU",
        BoundBy.Machine => "the shared machine",
        BoundBy.Rate => "the rate asked for",
        _ => "latency",
    };

    /// <summary>What repeats could still do for a claim that noise left undecided.</summary>
    /// <param name="needed">Repeats that would decide; null when no number would.</param>
    public static string Repeats(int? needed, int done) => needed switch
    {
        null => "it is too near to that limit for repeats to decide",
        int count when count > done => $"about {count} repeats would decide",
        _ => "a few more repeats would decide",
    };

    /// <summary>Why nothing can be said of variants without a usable run; null when each has one.</summary>
    public static string? NothingMeasured(IEnumerable<MeasuredVariant> variants)
    {
        var reasons = variants.Select(variant => variant.NothingUsable).OfType<string>().ToList();
        return reasons.Count == 0 ? null : string.Join("; ", reasons);
    }
}
