namespace ScaleOut.Tests.Analysis.Findings;

/// <summary>Tests claims on truths measured almost without noise.</summary>
internal static class Evaluation
{
    public static FindingResult From(FindingKind kind, IReadOnlyList<Truth> truths, int repeats = 5, double? threshold = null) =>
        FindingTests.Evaluate(
            new FindingSpec { Kind = kind, Threshold = threshold, Variants = [.. truths.Select(truth => truth.Name)] },
            Truth.MeasureExactly(truths, repeats));

    /// <summary>A pair with a ratio, of which each side is changed.</summary>
    public static FindingResult OfPair(
        FindingKind kind, double ratio, Func<Truth, Truth>? baseline = null, Func<Truth, Truth>? changed = null)
    {
        var pair = Pairs.From(kind, ratio);
        return From(kind, [(baseline ?? (truth => truth))(pair[0]), (changed ?? (truth => truth))(pair[1])]);
    }
}
