using static System.FormattableString;

namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>The test of one kind of claim.</summary>
internal abstract class FindingTest(FindingKind kind, FindingRoles roles)
{
    private const double MaxGain = 1_000;
    private const double MaxFactor = 2;

    public FindingKind Kind => kind;

    public FindingRoles Roles => roles;

    /// <summary>Whether it compares rates, so that runs without the overlap rate say nothing of it. Default true.</summary>
    public virtual bool ComparesRates => true;

    /// <summary>
    /// Whether it is about rates or latencies, which a slow machine changes. RU and requests per operation are the same on any machine, so
    /// runs on a full machine and runs whose delays slipped say as much of them as others. Default true.
    /// </summary>
    public virtual bool IsAboutTime => true;

    /// <summary>
    /// Whether it compares latencies: a machine at its limit lengthens them, also where request units set the rate. Default false.
    /// </summary>
    public virtual bool IsAboutLatency => false;

    /// <summary>
    /// Whether the claim is about the machine, so that its limit is not what hides the effect; the test itself then says what it makes of
    /// machines that are shared. Default false.
    /// </summary>
    public virtual bool IsAboutTheMachine => false;

    /// <summary>The threshold of a spec that gives none.</summary>
    public virtual double DefaultThreshold => IsSameness ? Equivalence.NegligibleFactor : 1;

    /// <summary>Whether a spec may set the threshold. Default true.</summary>
    public virtual bool HasThreshold => true;

    /// <summary>Whether the claim is that something is the same but for a factor, rather than a gain. Default false.</summary>
    public virtual bool IsSameness => false;

    /// <summary>Whether what is claimed follows from how many physical partitions there are and what each can serve.</summary>
    public virtual bool DependsOnLayout => false;

    /// <summary>Under which condition at most 5% of the verdicts are wrong, as the end of a sentence.</summary>
    public virtual string RestsOn => TurnsTaken;

    /// <summary>The condition of whatever compares variants, as <c>bench known-truth findings</c> shows it.</summary>
    protected const string TurnsTaken =
        "the variants took turns, so that a drift of the machine met all of them alike, and slow runs for another reason come to all "
            + "of them alike: runs may resemble their neighbours, and scatter differently in each variant";

    /// <summary>The claim as a sentence, with the spec's threshold.</summary>
    public abstract string ClaimFor(FindingSpec finding);

    /// <summary>Judges from variants that fit the claim; each has its name and spec, but perhaps no usable run.</summary>
    public abstract FindingResult Judge(FindingCase given);

    /// <summary>Why the specs of the variants, in the claim's order, cannot test it; null when they can.</summary>
    public virtual string? Misfit(IReadOnlyList<RunSpec> variants) => null;

    /// <summary>What predicts the effect on the simulated account, in a few words, such as <c>the gateway's hop</c>.</summary>
    public virtual string PredictedFrom => "RU/s, operations in flight and latency";

    /// <summary>
    /// What those parameters alone predict of some runs; null if they say nothing. A prediction that the test made itself stands in
    /// <see cref="FindingResult.Predicted"/>.
    /// </summary>
    public virtual Assumption? FollowsFrom(FindingCase given) => new(PredictedFrom, given.PredictedRatio);

    /// <summary>The verdict if the effect were exactly so; null if the effect alone does not say it.</summary>
    public virtual FindingVerdict? VerdictAt(double effect, FindingSpec finding)
    {
        var threshold = ThresholdOf(finding);
        var holds = IsSameness ? Equivalence.BandOf(threshold).Contains(effect) : effect > threshold;
        return holds ? FindingVerdict.Supported : FindingVerdict.Refuted;
    }

    /// <summary>A spec without what the claim is about, to see whether variants differ in anything else.</summary>
    protected virtual RunSpec WithoutAspect(RunSpec spec) => spec;

    public double ThresholdOf(FindingSpec finding) => finding.Threshold ?? DefaultThreshold;

    /// <summary>What is wrong with a threshold; null when nothing is.</summary>
    public string? ThresholdError(double threshold) =>
        !HasThreshold ? threshold == 1 ? null : "this claim has no threshold"
        : IsSameness ? threshold is > 1 and <= MaxFactor ? null : Invariant($"{threshold} is out of range: above 1, at most {MaxFactor}")
        : threshold is >= 1 and <= MaxGain ? null : Invariant($"{threshold} is out of range 1..{MaxGain}");

    /// <summary>What a reader must know of the runs whatever the verdict.</summary>
    public IEnumerable<string> NotesOn(IReadOnlyList<MeasuredVariant> variants)
    {
        foreach (var note in variants.SelectMany(variant => variant.LeftOutNotes))
            yield return note;
        var differences = SettingDifferences.Between([.. variants.Select(variant => Remainder(variant.Spec))]);
        if (differences.Count > 0)
            yield return $"Besides what the claim is about, the variants differ in {string.Join(" and in ", differences)}, so the effect "
                + "may be something else's.";
    }

    private RunSpec Remainder(RunSpec spec) =>
        WithoutAspect(spec).Unnamed() with
        {
            Documents = 1,
            Seed = 1,
            Warmup = default,
            LegDuration = default,
            StartTimeout = default,
        };
}

/// <summary>A claim with what was measured for it.</summary>
/// <param name="Variants">In the claim's order.</param>
internal sealed record FindingCase(FindingSpec Spec, IReadOnlyList<MeasuredVariant> Variants)
{
    // Shared by copies of the case, which are judged at other levels: the fit does not depend on them.
    private readonly Lazy<ScalabilityFit> _fit =
        new(() => ScalabilityFit.From(Variants.SelectMany(variant => variant.ScalabilityPoints)), isThreadSafe: false);

    /// <summary>The rules that decide, at the level at which they do.</summary>
    public Verdicts Verdicts { get; init; } = Verdicts.Default;

    /// <summary>The scalability law of the variants, or why there is none.</summary>
    public ScalabilityFit Fit => _fit.Value;

    public MeasuredVariant Baseline => Variants[0];

    public MeasuredVariant Changed => Variants[^1];

    /// <summary>How many times the baseline's rate the changed variant's is by the simulated account's parameters alone.</summary>
    public double? PredictedRatio => PredictedRate.Ratio(Baseline.Spec, Changed.Spec);

    /// <summary>Why nothing can be said of variants without a usable run; null when each has one.</summary>
    public string? NothingMeasured => Join("; ", Variants.Select(variant => variant.NothingUsable).OfType<string>());

    /// <summary>
    /// Why runs that share a machine at its limit say nothing of the account or its clients; null when none of the variants was bound so.
    /// </summary>
    public string? BoundByMachine =>
        Join(", ", Variants.Where(variant => variant.IsBoundByMachine).Select(variant => variant.Name)) is { } names
            ? $"the shared machine bound the runs of {names}"
            : null;

    /// <summary>Why the runs say nothing of any claim; null when they do.</summary>
    public string? Unusable => NothingMeasured ?? BoundByMachine;

    /// <summary>Why variants that differ in their indexing cannot be compared; null when the account kept each mode.</summary>
    public string? ChangedIndexing
    {
        get
        {
            foreach (var variant in Variants)
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

    /// <summary>An effect on the rate that follows from charges, which are named in the text.</summary>
    /// <param name="parameter">What sets the charge, such as <c>the RU of an indexed term</c>.</param>
    public Assumption AssumedFromCharges(string parameter, string one = "a document")
    {
        var (before, after) = (PredictedRate.ChargeOf(Baseline.Spec), PredictedRate.ChargeOf(Changed.Spec));
        return new(Invariant($"{parameter}: {one} costs {before:0.##} RU, then {after:0.##} RU"), PredictedRatio);
    }

    private static string? Join(string separator, IEnumerable<string> texts) =>
        string.Join(separator, texts) is { Length: > 0 } joined ? joined : null;
}

/// <summary>Completes findings whose effect is known.</summary>
internal static class FindingDecisions
{
    /// <summary>Without an interval nothing is decided.</summary>
    public static FindingResult UndecidedBySingleRepeat(this FindingResult result) => result with
    {
        Sentence = $"{result.Sentence} in a single repeat, which decides nothing.",
        Reason = ClaimText.SingleRepeat,
    };

    /// <summary>Something but noise keeps the claim from being decided.</summary>
    public static FindingResult UndecidedBecause(this FindingResult result, string reason) =>
        result with { Sentence = $"{result.Sentence}, but {reason}.", Reason = reason };

    /// <summary>The verdict on a claim that something is the same but for a factor.</summary>
    /// <param name="shown">Ends the sentence where it is supported.</param>
    /// <param name="refuted">Ends it where it is refuted.</param>
    public static FindingResult DecideSameness(
        this FindingResult result, FindingVerdict verdict, Comparison comparison, double factor, Func<string, string> shown,
        string refuted)
    {
        var band = $"{ClaimText.Ratio(1 / factor)} to {ClaimText.Ratio(factor)}";
        return result with
        {
            Verdict = verdict,
            Reason = verdict == FindingVerdict.Inconclusive ? $"the 90% interval straddles an end of {band}" : null,
            Sentence = result.Sentence + verdict switch
            {
                FindingVerdict.Supported => $": {shown(band)}.",
                FindingVerdict.Refuted => $": {refuted}.",
                _ => $": the noise hides whether that is within {band}; "
                    + $"{ClaimText.Repeats(comparison.RepeatsForSameness(factor), comparison.Repeats)}.",
            },
        };
    }
}

/// <summary>How many variants a claim compares, and what each is.</summary>
/// <param name="Text">In words, such as <c>Gateway, then Direct</c>.</param>
internal sealed record FindingRoles(string Text, int Min, int Max)
{
    public static FindingRoles One(string what) => new($"one variant: {what}", 1, 1);

    public static FindingRoles Pair(string baseline, string changed) => new($"two variants: {baseline}, then {changed}", 2, 2);

    /// <summary>Variants that ascend in something.</summary>
    public static FindingRoles Ladder(int fewest, string ascending) =>
        new($"{fewest} or more variants by ascending {ascending}", fewest, ExperimentSpec.MaxVariants);

    public override string ToString() => Text;
}
