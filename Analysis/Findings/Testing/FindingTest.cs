namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>The test of one kind of claim.</summary>
internal abstract class FindingTest
{
    private const double LargestGain = 1_000;

    public abstract FindingKind Kind { get; }

    public abstract FindingRoles Roles { get; }

    /// <summary>Whether it compares rates, so that runs without the overlap rate say nothing of it. Default true.</summary>
    public virtual bool ComparesRates => true;

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
    public virtual double DefaultThreshold => 1;

    /// <summary>Whether what is claimed follows from how many physical partitions there are and what each can serve.</summary>
    public virtual bool DependsOnLayout => false;

    /// <summary>The claim as a sentence, with the spec's threshold.</summary>
    public abstract string ClaimFor(FindingSpec finding);

    /// <summary>Judges from variants that fit the claim; each has its name and spec, but perhaps no usable run.</summary>
    public abstract FindingOutcome Judge(FindingCase given);

    /// <summary>Why the specs of the variants, in the claim's order, cannot test it; null when they can.</summary>
    public virtual string? Misfit(IReadOnlyList<RunSpec> variants) => null;

    /// <summary>
    /// What the effect follows from on the simulated account, in a few words for the catalog, such as <c>the gateway's hop</c>; null for
    /// an effect that always emerges.
    /// </summary>
    public virtual string? AssumedFrom => null;

    /// <summary>The same of some runs on the simulated account, with what it predicts; null where their effect emerges.</summary>
    public virtual Assumption? FollowsFrom(FindingCase given) => null;

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

    public FindingOrigin? Origin { get; init; }

    public string? FollowsFrom { get; init; }

    public double? Predicted { get; init; }

    public IReadOnlyList<string> Notes { get; init; } = [];

    public PeakFinding? Peak { get; init; }

    public IReadOnlyList<FleetPrediction>? Fleet { get; init; }

    public ScalabilityFit? Law { get; init; }

    /// <summary>Without an interval nothing is decided.</summary>
    public FindingOutcome UndecidedBySingleRepeat() =>
        this with { Sentence = $"{Sentence} in a single repeat, which decides nothing.", Reason = Say.SingleRepeat };

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
    /// <summary>One variant.</summary>
    public static FindingRoles One(string what) => new($"one variant: {what}", 1, 1);

    /// <summary>Two variants.</summary>
    public static FindingRoles Pair(string baseline, string changed) => new($"two variants: {baseline}, then {changed}", 2, 2);

    /// <summary>Variants that ascend in something.</summary>
    public static FindingRoles Ladder(int fewest, string ascending) =>
        new($"{fewest} or more variants by ascending {ascending}", fewest, ExperimentSpec.MaxVariants);

    public override string ToString() => Text;
}
