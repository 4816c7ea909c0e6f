namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>Questions that are asked again with more repeats, each time in a new experiment, until something is decided.</summary>
internal static class Followed
{
    private static readonly int[] Repeats = [3, 5, 8];

    /// <summary>Share of the questions whose last verdict is wrong.</summary>
    /// <param name="interimAnalyses">Value of <c>looks</c> in the spec of each experiment.</param>
    public static double WrongShare(IReadOnlyList<int> interimAnalyses, int questions)
    {
        // The variants are just not the same, so the verdict that they are is wrong.
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
                verdict = FindingTests.Evaluate(findings, measured, interimAnalyses[look])[0].Holm?.Verdict;
            }

            wrong += verdict == FindingVerdict.Supported ? 1 : 0;
        }

        return wrong / (double)questions;
    }
}
