namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A claim that compares two variants. It is not tested if the same outside limit hides the effect in both.</summary>
internal abstract class PairTest(FindingKind kind, FindingRoles roles) : FindingTest(kind, roles)
{
    /// <summary>
    /// Whether a limit that sets the rate from outside (request units, a partition, the rate asked for) hides the effect.
    /// </summary>
    protected virtual bool Hides(BoundBy cap) => true;

    /// <summary>Why the measured runs cannot test the claim, apart from limits of the rate. Null if they can.</summary>
    protected virtual string? Obstacle(FindingCase given) => null;

    /// <summary>The limit that hides the effect in a variant's runs. Null if none does.</summary>
    protected BoundBy? CapOf(MeasuredVariant variant) => variant.Cap is { } cap && Hides(cap) ? cap : null;

    /// <summary>Why the claim is not tested. Null if it is.</summary>
    protected string? WhyNotTested(FindingCase given) =>
        given.NothingMeasured ?? Obstacle(given) ?? given.BoundByMachine ?? CappedAlike(given);

    private string? CappedAlike(FindingCase given) => CapOf(given.Baseline) is { } cap && CapOf(given.Changed) == cap
        ? $"both variants were bound by {ClaimText.Cap(cap)}, which set the rate of both"
        : null;
}
