namespace ScaleOut.Analysis.Findings.Testing;

internal abstract class FindingTest(FindingKind kind, FindingRoles roles)
{
    private const double MaxGain = 1_000;
    private const double MaxFactor = 2;

    public FindingKind Kind => kind;

    public FindingRoles Roles => roles;

    /// <summary>Whether the claim compares rates. If so, runs without an overlap rate are left out. Default true.</summary>
    public virtual bool ComparesRates { get; init; } = true;

    /// <summary>
    /// Whether the claim is about rates or latencies, which a slow machine changes. If not, runs whose rates or latencies are not valid
    /// count as well, because RU and requests per operation are the same on any machine. Default true.
    /// </summary>
    public virtual bool IsAboutTime { get; init; } = true;

    /// <summary>
    /// Whether the claim compares latencies. A machine at its limit lengthens them, even if request units set the rate. Default false.
    /// </summary>
    public virtual bool IsAboutLatency { get; init; }

    /// <summary>
    /// Whether the claim is about the machine. If so, single runs on a saturated machine are not left out; the test decides what they mean.
    /// Default false.
    /// </summary>
    public bool IsAboutTheMachine { get; init; }

    /// <summary>The threshold if the spec gives none. Default 1.0526 for sameness, otherwise 1.</summary>
    public double DefaultThreshold
    {
        get => field > 0 ? field : IsSameness ? Equivalence.NegligibleFactor : 1;
        init;
    }

    /// <summary>Whether a spec may set the threshold. Default true.</summary>
    public virtual bool HasThreshold { get; init; } = true;

    /// <summary>Whether the claim is that something is the same but for a factor, rather than a gain. Default false.</summary>
    public virtual bool IsSameness { get; init; }

    /// <summary>Whether the claim depends on the number of physical partitions and on what each of them can serve. Default false.</summary>
    public virtual bool DependsOnLayout { get; init; }

    /// <summary>The condition under which at most 5% of the verdicts are wrong, as the end of a sentence.</summary>
    public virtual string RestsOn { get; init; } = TurnsTaken;

    /// <summary>The condition for claims that compare variants. <c>bench known-truth findings</c> measures it.</summary>
    public const string TurnsTaken =
        "the variants took turns, so that a drift of the machine affected all of them alike, and other slow runs are equally frequent in "
            + "all of them; runs may resemble their neighbours, and their scatter may differ between variants";

    /// <summary>The claim as a sentence, with the spec's threshold.</summary>
    public abstract string ClaimFor(FindingSpec finding);

    /// <summary>Judges the claim. The variants fit the claim, but some may have no usable run.</summary>
    public abstract FindingResult Judge(FindingCase given);

    /// <summary>Why variants with these specs, in the claim's order, cannot test the claim. Null if they can.</summary>
    public virtual string? Misfit(IReadOnlyList<RunSpec> variants) => null;

    /// <summary>What predicts the effect on the simulated account, in a few words, such as <c>the gateway's hop</c>.</summary>
    public virtual string PredictedFrom { get; init; } = "RU/s, operations in flight and latency";

    /// <summary>
    /// What these parameters alone predict for the measured variants. Null if they predict nothing. A test can instead set
    /// <see cref="FindingResult.Predicted"/> when it judges; a prediction that is returned here replaces that one.
    /// </summary>
    public virtual Assumption? FollowsFrom(FindingCase given) => new(PredictedFrom, given.PredictedRatio);

    /// <summary>The verdict that an effect of exactly this size would have. Null if the effect alone does not decide.</summary>
    public virtual FindingVerdict? VerdictAt(double effect, FindingSpec finding)
    {
        var threshold = ThresholdOf(finding);
        var holds = IsSameness ? Equivalence.BandOf(threshold).Contains(effect) : effect > threshold;
        return holds ? FindingVerdict.Supported : FindingVerdict.Refuted;
    }

    /// <summary>The spec without the settings that the claim is about. It shows whether variants differ in anything else.</summary>
    protected virtual RunSpec WithoutAspect(RunSpec spec) => spec;

    public double ThresholdOf(FindingSpec finding) => finding.Threshold ?? DefaultThreshold;

    /// <summary>The error of an invalid threshold. Null if it is valid.</summary>
    public virtual string? ThresholdError(double threshold)
    {
        if (!HasThreshold)
            return threshold == 1 ? null : "this claim has no threshold";
        if (IsSameness)
            return threshold is > 1 and <= MaxFactor ? null : $"{threshold} is out of range: above 1, at most {MaxFactor}";
        return threshold is >= 1 and <= MaxGain ? null : $"{threshold} is out of range 1..{MaxGain}";
    }

    /// <summary>Notes on the runs that apply to any verdict.</summary>
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
    // Copies of the case that are judged at other levels share the fit, because it does not depend on the level.
    private readonly Lazy<ScalabilityFit> _fit =
        new(() => ScalabilityFit.From(Variants.SelectMany(variant => variant.ScalabilityPoints)), isThreadSafe: false);

    /// <summary>The rules for verdicts, with their level.</summary>
    public Verdicts Verdicts { get; init; } = Verdicts.Default;

    /// <summary>The scalability law of the variants, or why there is none.</summary>
    public ScalabilityFit Fit => _fit.Value;

    public MeasuredVariant Baseline => Variants[0];

    public MeasuredVariant Changed => Variants[^1];

    /// <summary>Rate of the changed variant / rate of the baseline, as the simulated account's parameters alone predict it.</summary>
    public double? PredictedRatio => PredictedRate.Ratio(Baseline.Spec, Changed.Spec);

    /// <summary>Whether each variant has enough usable runs to estimate their scatter.</summary>
    public bool IsRepeated => Variants.All(variant => variant.IsRepeated);

    /// <summary>Why variants have no usable run. Null if each variant has one.</summary>
    public string? NothingMeasured => Join("; ", Variants.Select(variant => variant.NothingUsable).OfType<string>());

    /// <summary>
    /// Names the variants whose runs a shared machine limited. Such runs say nothing about the account or its clients. Null if there are
    /// none.
    /// </summary>
    public string? BoundByMachine =>
        Join(", ", Variants.Where(variant => variant.IsBoundByMachine).Select(variant => variant.Name)) is { } names
            ? $"the shared machine bound the runs of {names}"
            : null;

    /// <summary>Why the runs can test no claim. Null if they can.</summary>
    public string? Unusable => NothingMeasured ?? BoundByMachine;

    /// <summary>Why variants with different indexing modes cannot be compared. Null if the account used each mode as specified.</summary>
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

    /// <summary>
    /// Compares a figure of the changed variant with the baseline's, or the other way round if less of it is better. Null unless every
    /// usable run has the figure.
    /// </summary>
    public Comparison? Compare(Func<RunFigures, double?> figure, bool lessIsBetter = false) =>
        Baseline.Values(figure) is { } before && Changed.Values(figure) is { } after
            ? lessIsBetter ? Comparison.From(before, after) : Comparison.From(after, before)
            : null;

    /// <summary>An effect on the rate that follows from charges. The text names the charges of the first and the last variant.</summary>
    /// <param name="parameter">What sets the charge, such as <c>the RU of an index entry</c>.</param>
    public Assumption AssumedFromCharges(string parameter, string one = "a document")
    {
        var (before, after) = (PredictedRate.ChargeOf(Baseline.Spec), PredictedRate.ChargeOf(Changed.Spec));
        return new($"{parameter}: {one} costs {before:0.##} RU, then {after:0.##} RU", PredictedRatio);
    }

    private static string? Join(string separator, IEnumerable<string> texts) =>
        string.Join(separator, texts) is { Length: > 0 } joined ? joined : null;
}

internal static class FindingDecisions
{
    /// <summary>Adds the verdict, or replaces it with one that adds to the sentence.</summary>
    /// <param name="ending">Ends the sentence, without the full stop.</param>
    /// <param name="reason">Why the claim is undecided, if it is.</param>
    public static FindingResult Decide(this FindingResult result, FindingVerdict verdict, string ending, string? reason = null)
    {
        var statement = (result.Statement ?? result.Sentence) + ending;
        return result with
        {
            Verdict = verdict,
            Statement = statement,
            Sentence = statement + ".",
            Reason = verdict == FindingVerdict.Inconclusive ? reason : null,
        };
    }

    /// <summary>Leaves the claim undecided, because a single repeat has no interval.</summary>
    public static FindingResult UndecidedBySingleRepeat(this FindingResult result) =>
        result.Decide(FindingVerdict.Inconclusive, " in a single repeat, which decides nothing", ClaimText.SingleRepeat);

    /// <summary>Leaves the claim undecided for a reason other than noise.</summary>
    public static FindingResult UndecidedBecause(this FindingResult result, string reason) =>
        result.Decide(FindingVerdict.Inconclusive, $", but {reason}", reason);

    /// <summary>Adds the verdict on a claim of a gain.</summary>
    /// <param name="supported">Ends the sentence if the claim is supported.</param>
    /// <param name="refuted">Ends the sentence if a claim of any gain (threshold 1) is refuted.</param>
    public static FindingResult DecideGain(
        this FindingResult result, FindingVerdict verdict, Comparison comparison, double threshold, string supported, string refuted) =>
        result.Decide(
            verdict,
            verdict switch
            {
                FindingVerdict.Supported => supported,
                FindingVerdict.NoDifference => ": no difference that matters",
                FindingVerdict.Refuted when threshold > 1 => $": less than the factor of {Numbers.Brief(threshold)} that is claimed",
                FindingVerdict.Refuted => refuted,
                _ when threshold == 1 && Equivalence.NegligibleBand.Contains(comparison.Ratio) =>
                    ": the noise hides whether that is a difference that matters; "
                        + ClaimText.Repeats(comparison.RepeatsForSameness(Equivalence.NegligibleFactor), comparison.Repeats),
                _ => $": the noise hides whether that is more than {Numbers.Brief(threshold)}; "
                    + $"{ClaimText.Repeats(comparison.RepeatsForGain(threshold), comparison.Repeats)}",
            },
            $"the 95% interval straddles {Numbers.Brief(threshold)}");

    /// <summary>Adds the verdict on a claim that something is the same but for a factor.</summary>
    /// <param name="supported">Ends the sentence if the claim is supported. Receives the range that counts as the same.</param>
    /// <param name="refuted">Ends the sentence if the claim is refuted.</param>
    public static FindingResult DecideSameness(
        this FindingResult result, FindingVerdict verdict, Comparison comparison, double factor, Func<string, string> supported,
        string refuted)
    {
        var band = $"{Numbers.Brief(1 / factor)} to {Numbers.Brief(factor)}";
        return result.Decide(
            verdict,
            verdict switch
            {
                FindingVerdict.Supported => $": {supported(band)}",
                FindingVerdict.Refuted => $": {refuted}",
                _ => $": the noise hides whether that is within {band}; "
                    + $"{ClaimText.Repeats(comparison.RepeatsForSameness(factor), comparison.Repeats)}",
            },
            $"the 90% interval does not lie within {band}, nor the 95% interval outside");
    }
}

/// <summary>How many variants a claim compares, and what each is.</summary>
/// <param name="Text">In words, such as <c>Gateway, then Direct</c>.</param>
internal sealed record FindingRoles(string Text, int Min, int Max)
{
    public static FindingRoles One(string what) => new($"one variant: {what}", 1, 1);

    public static FindingRoles Pair(string baseline, string changed) => new($"two variants: {baseline}, then {changed}", 2, 2);

    /// <summary>Variants that ascend in something.</summary>
    public static FindingRoles Ladder(int min, string ascending) =>
        new($"{min} or more variants by ascending {ascending}", min, ExperimentSpec.MaxVariants);

    public override string ToString() => Text;
}
