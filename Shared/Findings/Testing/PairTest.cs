using ScaleOut.Reports;

namespace ScaleOut.Findings.Testing;

/// <summary>A claim that compares two variants, and what can keep their runs from saying anything about it.</summary>
internal abstract class PairTest : FindingTest
{
    /// <summary>Whether a limit that sets the rate from outside (request units, a partition, the rate asked for) hides the effect.</summary>
    protected virtual bool Hides(BoundBy cap) => true;

    /// <summary>Why the runs cannot say anything, from what was measured; null when they can.</summary>
    protected virtual string? Obstacle(FindingCase given) => null;

    /// <summary>What hides the effect in a variant's runs; null when nothing does.</summary>
    protected BoundBy? CapOf(MeasuredVariant variant) => variant.Cap is { } cap && Hides(cap) ? cap : null;

    /// <summary>Why the claim is not tested; null when it is.</summary>
    protected string? WhyNotTested(FindingCase given) => Say.NothingMeasured(given.Variants) ?? Obstacle(given) ?? CappedAlike(given);

    private string? CappedAlike(FindingCase given) => CapOf(given.Baseline) is { } cap && CapOf(given.Changed) == cap
        ? $"both variants were bound by {Say.Cap(cap)}, which set the rate of both"
        : null;
}
