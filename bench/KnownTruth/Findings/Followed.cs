using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Findings.Catalog;
using ScaleOut.Experiments;

namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>Questions that are looked at again with more repeats while nothing is decided, each time in an experiment of its own.</summary>
internal static class Followed
{
    private static readonly int[] Repeats = [3, 5, 8];

    /// <summary>Share of the questions whose last look, or an earlier one, is wrong.</summary>
    /// <param name="looks">Of each experiment's spec.</param>
    public static double WrongShare(IReadOnlyList<int> looks, int questions)
    {
        // Just not the same, so that being the same is wrong.
        var variants = Pairs.From(FindingKind.MaxConnections, 1.0526);
        FindingSpec[] findings = [new() { Kind = FindingKind.MaxConnections, Variants = [.. variants.Select(one => one.Name)] }];
        var wrong = 0;
        for (var i = 0; i < questions; i++)
        {
            var random = new Random(unchecked((i + 1) * 7_919));
            var range = NoiseRange.Wide.Draw(random);
            FindingVerdict? verdict = null;
            for (var look = 0; look < Repeats.Length && (verdict is null or FindingVerdict.Inconclusive); look++)
            {
                var measured = Truth.Measure(variants, Repeats[look], new Noise(random, range, variants: 0));
                verdict = FindingTests.Evaluate(findings, measured, looks[look])[0].Holm?.Verdict;
            }

            wrong += verdict == FindingVerdict.Supported ? 1 : 0;
        }

        return wrong / (double)questions;
    }
}
