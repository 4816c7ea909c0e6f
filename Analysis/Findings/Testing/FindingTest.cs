using System.Globalization;
using System.Text.Json;
using ScaleOut.Analysis.Findings.Catalog;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>The test of one kind of claim.</summary>
internal abstract class FindingTest
{
    private const double LargestGain = 1_000;

    public abstract FindingKind Kind { get; }

    public abstract FindingRoles Roles { get; }

    /// <summary>The threshold of a spec that gives none.</summary>
    public virtual double DefaultThreshold => 1;

    /// <summary>The claim as a sentence, with the spec's threshold.</summary>
    public abstract string ClaimFor(FindingSpec finding);

    /// <summary>Judges from variants that fit the claim; each has its name and spec, but perhaps no usable run.</summary>
    public abstract FindingOutcome Judge(FindingCase given);

    /// <summary>Why the specs of the variants, in the claim's order, cannot test it; null when they can.</summary>
    public virtual string? Misfit(IReadOnlyList<RunSpec> variants) => null;

    /// <summary>A spec without what the claim is about, to see whether variants differ in anything else.</summary>
    protected abstract RunSpec WithoutAspect(RunSpec spec);

    public double ThresholdOf(FindingSpec finding) => finding.Threshold ?? DefaultThreshold;

    /// <summary>What is wrong with a threshold; null when nothing is.</summary>
    public virtual string? ThresholdError(double threshold) => threshold is >= 1 and <= LargestGain
        ? null
        : string.Create(CultureInfo.InvariantCulture, $"{threshold} is out of range 1..{LargestGain}");

    /// <summary>What a reader must know of the runs whatever the verdict.</summary>
    public IEnumerable<string> NotesOn(IReadOnlyList<MeasuredVariant> variants)
    {
        foreach (var variant in variants.Where(variant => variant.LeftOut > 0))
            yield return $"{variant.LeftOut} of {variant.LeftOut + variant.Usable.Count} runs of {variant.Name} are left out: they are not "
                + "complete.";
        foreach (var variant in variants.Where(variant => variant.Usable.Count > 0 && variant.IsBoundByMachine))
            yield return $"The runs of {variant.Name} were bound by a machine that its workers shared: their rate says as much about that "
                + "machine as about the account.";
        if (variants.Skip(1).Any(variant => DifferElsewhere(variants[0].Spec, variant.Spec)))
            yield return "The variants differ in more than what the claim is about, so the effect may be something else's.";
    }

    private bool DifferElsewhere(RunSpec first, RunSpec second)
    {
        var (one, other) = (Remainder(first), Remainder(second));
        // Lists are equal as records only when they are the same list, so JSON has the last word.
        return one != other && JsonSerializer.Serialize(one, ScaleOutJson.Compact) != JsonSerializer.Serialize(other, ScaleOutJson.Compact);
    }

    private RunSpec Remainder(RunSpec spec) =>
        WithoutAspect(spec) with
        {
            Id = null,
            Name = null,
            Documents = 1,
            Seed = 1,
            Warmup = default,
            LegDuration = default,
            StartTimeout = default,
        };
}

/// <summary>A claim with what was measured for it.</summary>
/// <param name="Spec">The claim.</param>
/// <param name="Variants">In the claim's order.</param>
internal sealed record FindingCase(FindingSpec Spec, IReadOnlyList<MeasuredVariant> Variants)
{
    public MeasuredVariant Baseline => Variants[0];

    public MeasuredVariant Changed => Variants[^1];
}

/// <summary>The part of a <see cref="FindingResult"/> that the test of its kind decides; each property means the same as there.</summary>
internal sealed record FindingOutcome
{
    public required FindingVerdict Verdict { get; init; }

    public double? Effect { get; init; }

    public string? EffectOf { get; init; }

    public Interval? Interval95 { get; init; }

    public Interval? Interval90 { get; init; }

    public required string Sentence { get; init; }

    public string? Reason { get; init; }

    public bool Simulated { get; init; }

    public IReadOnlyList<string> Notes { get; init; } = [];

    public PeakFinding? Peak { get; init; }

    public IReadOnlyList<FleetPrediction>? Fleet { get; init; }

    public ScalabilityFit? Law { get; init; }

    /// <summary>The claim stays open for a reason that no number of repeats would change.</summary>
    public static FindingOutcome NotTested(string reason) =>
        new() { Verdict = FindingVerdict.NotTested, Reason = reason, Sentence = $"Not tested: {reason}." };
}

/// <summary>How many variants a claim compares, and what each is.</summary>
/// <param name="Text">In words, such as <c>Gateway, then Direct</c>.</param>
/// <param name="Fewest">At least so many.</param>
/// <param name="Most">At most so many.</param>
internal sealed record FindingRoles(string Text, int Fewest, int Most)
{
    /// <summary>Two variants.</summary>
    public static FindingRoles Pair(string baseline, string changed) => new($"two variants: {baseline}, then {changed}", 2, 2);

    /// <summary>Variants that ascend in something.</summary>
    public static FindingRoles Ladder(int fewest, string ascending) =>
        new($"{fewest} or more variants by ascending {ascending}", fewest, FindingRules.MostVariants);

    public override string ToString() => Text;
}
