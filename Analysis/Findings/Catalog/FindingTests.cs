using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;

namespace ScaleOut.Analysis.Findings.Catalog;

/// <summary>
/// Tests claims on what an experiment measured. Invalid specs and variants that did not run make a claim
/// <see cref="FindingVerdict.NotTested"/>; nothing throws.
/// </summary>
public static class FindingTests
{
    /// <summary>Tests each claim, in the order of the specs.</summary>
    /// <param name="findings">From the experiment's spec.</param>
    /// <param name="variants">Everything that was measured; each claim picks its own by name.</param>
    public static IReadOnlyList<FindingResult> Evaluate(IReadOnlyList<FindingSpec> findings, IReadOnlyList<VariantResult> variants)
    {
        ArgumentNullException.ThrowIfNull(findings);
        return [.. findings.Select(finding => Evaluate(finding, variants))];
    }

    /// <summary>Tests one claim.</summary>
    public static FindingResult Evaluate(FindingSpec finding, IReadOnlyList<VariantResult> variants)
    {
        ArgumentNullException.ThrowIfNull(finding);
        ArgumentNullException.ThrowIfNull(variants);
        var test = FindingCatalog.TestOf(finding.Kind);
        var outcome = Judge(test, finding, variants);
        return new FindingResult
        {
            Id = finding.Id ?? FindingCatalog.NameOf(finding.Kind),
            Kind = finding.Kind,
            Claim = test.ClaimFor(finding),
            Verdict = outcome.Verdict,
            Effect = outcome.Effect,
            EffectOf = outcome.Effect is null ? null : outcome.EffectOf,
            Interval95 = outcome.Interval95,
            Interval90 = outcome.Interval90,
            Published = finding.Published,
            Sentence = outcome.Sentence,
            Reason = outcome.Reason,
            Simulated = outcome.Simulated,
            Variants = finding.Variants,
            Notes = outcome.Notes,
            Peak = outcome.Peak,
            Fleet = outcome.Fleet,
            Law = outcome.Law,
        };
    }

    private static FindingOutcome Judge(FindingTest test, FindingSpec finding, IReadOnlyList<VariantResult> variants)
    {
        var known = variants.GroupBy(variant => variant.Name, StringComparer.Ordinal)
            .ToDictionary(group => group.Key, group => group.First().Spec, StringComparer.Ordinal);
        var errors = FindingRules.Check(finding, known, path: "");
        if (errors.Count > 0)
            return FindingOutcome.NotTested(string.Join("; ", errors));

        var measured = finding.Variants.Select(name => new MeasuredVariant(variants.First(variant => variant.Name == name))).ToList();
        var outcome = test.Judge(new FindingCase(finding, measured));
        return outcome with
        {
            Simulated = measured.Any(variant => variant.Simulated),
            Notes = [.. outcome.Notes, .. test.NotesOn(measured)],
        };
    }
}
