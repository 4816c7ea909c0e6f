namespace ScaleOut.Tests.Support.Runs;

/// <summary>Tests claims with truths that are measured almost without noise.</summary>
internal static class Evaluation
{
    public static FindingResult From(FindingKind kind, IReadOnlyList<Truth> truths, int repeats = 5, double? threshold = null) =>
        FindingTests.Evaluate(
            new FindingSpec { Kind = kind, Threshold = threshold, Variants = [.. truths.Select(truth => truth.Name)] },
            Truth.MeasureExactly(truths, repeats));

    /// <summary>Tests a claim with a pair of a given ratio. Each side can be changed first.</summary>
    public static FindingResult OfPair(
        FindingKind kind, double ratio, Func<Truth, Truth>? baseline = null, Func<Truth, Truth>? changed = null)
    {
        var pair = Pairs.From(kind, ratio);
        return From(kind, [(baseline ?? (truth => truth))(pair[0]), (changed ?? (truth => truth))(pair[1])]);
    }

    /// <summary>The variant with other figures of its runs.</summary>
    public static MeasuredVariant With(this MeasuredVariant variant, Func<RunFigures, RunFigures> change) =>
        new(variant.Name, variant.Spec, [.. variant.Repeats.Select(change)]);
}
