namespace ScaleOut.Analysis.Findings.Catalog;

/// <summary>
/// Tests the claims of an experiment with its measurements. Nothing throws: with an invalid spec, or with variants that did not run, a
/// claim is <see cref="FindingVerdict.NotTested"/>.
/// </summary>
internal static class FindingTests
{
    /// <summary>Tests each claim, in the order of the specs, and corrects the verdicts for the number of claims.</summary>
    /// <param name="variants">All measured variants. Each claim selects its own by name.</param>
    /// <param name="interimAnalyses">Number of experiments that ask the same question, including this one.</param>
    public static IReadOnlyList<FindingResult> Evaluate(
        IReadOnlyList<FindingSpec> findings, IReadOnlyList<MeasuredVariant> variants, int interimAnalyses = 1) =>
        FamilyOfFindings.Correct([.. findings.Select(finding => Evaluate(finding, variants, withPValue: true))], interimAnalyses);

    /// <summary>Tests one claim as if it were the only one.</summary>
    public static FindingResult Evaluate(FindingSpec finding, IReadOnlyList<MeasuredVariant> variants, bool withPValue = false)
    {
        var test = FindingCatalog.TestOf(finding.Kind);
        var (given, reason) = CaseFor(test, finding, variants);
        var outcome = given is null ? FindingResult.NotTested(reason!) : Judge(test, given);
        return outcome with
        {
            Id = finding.Id ?? FindingCatalog.NameOf(finding.Kind),
            Kind = finding.Kind,
            Claim = test.ClaimFor(finding),
            Published = finding.Published,
            Variants = finding.Variants,
            RestsOn = outcome.Verdict.IsDecided() ? test.RestsOn : null,
            PValue = withPValue && given is not null
                ? FamilyOfFindings.PValueOf(outcome.Verdict, verdicts => test.Judge(given with { Verdicts = verdicts }).Verdict)
                : null,
        };
    }

    /// <summary>The case to judge, or why the claim cannot be tested.</summary>
    private static (FindingCase? Case, string? Reason) CaseFor(
        FindingTest test, FindingSpec finding, IReadOnlyList<MeasuredVariant> variants)
    {
        var known = variants.GroupBy(variant => variant.Name, StringComparer.Ordinal)
            .ToDictionary(group => group.Key, group => group.First(), StringComparer.Ordinal);
        var errors = FindingRules.Check(
            finding, known.ToDictionary(entry => entry.Key, entry => entry.Value.Spec, StringComparer.Ordinal), path: "");
        if (errors.Count > 0)
            return (null, string.Join("; ", errors));
        return (new FindingCase(finding, [.. finding.Variants.Select(name => known[name].For(test))]), null);
    }

    private static FindingResult Judge(FindingTest test, FindingCase given)
    {
        var capped = test.DependsOnLayout
            ? given.Variants.Where(variant => variant.LayoutIsCapped).Select(variant => variant.Name).ToList()
            : [];
        var outcome = capped.Count > 0
            ? FindingResult.NotTested(ClaimText.Capped(capped))
            : Origins.Label(test, given, test.Judge(given));
        return outcome with { Notes = [.. outcome.Notes, .. test.NotesOn(given.Variants)] };
    }
}
