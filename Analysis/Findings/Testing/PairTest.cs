namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// A claim that compares a figure of two variants: either the second one is better, or both are the same but for a negligible factor
/// (<see cref="FindingTest.IsSameness"/>). It is not tested if the same outside limit hides the effect in both.
/// </summary>
internal sealed class PairTest(FindingKind kind, string baseline, string changed)
    : FindingTest(kind, FindingRoles.Pair(baseline, changed))
{
    /// <summary>The claim as the beginning of a sentence.</summary>
    public required string Claim { get; init; }

    /// <summary>States the ratio, such as <c>Direct wrote 1.5 times the documents per second of Gateway</c>.</summary>
    public required Func<FindingCase, string, string> Statement { get; init; }

    /// <summary>Name of the figure that is compared. Default documents per second.</summary>
    public string Figure { get; init; } = "documents per second";

    /// <summary>The figure that is compared. Default <see cref="RunFigures.Rate"/>.</summary>
    public Func<RunFigures, double?> FigureOf { get; init; } = figures => figures.Rate;

    /// <summary>What the effect is a ratio of, such as <c>Direct / Gateway</c>. Default the names of the variants.</summary>
    public string? Sides { get; init; }

    /// <summary>Whether a lower figure is better. The effect is then the first variant's figure over the second's. Default false.</summary>
    public bool LessIsBetter { get; init; }

    /// <summary>Number of parts of the claim, all of which must hold; the comparison is one of them. Default 1.</summary>
    public int Parts { get; init; } = 1;

    /// <summary>Why the specs of the first and the second variant cannot test the claim. Null if they can.</summary>
    public Func<RunSpec, RunSpec, string?> MisfitOf { get; init; } = (_, _) => null;

    /// <summary>
    /// Whether a limit that sets the rate from outside (request units, a partition, the rate asked for) hides the effect. Default true.
    /// </summary>
    public Func<BoundBy, bool> Hides { get; init; } = _ => true;

    /// <summary>Why the measured runs cannot test the claim, apart from limits of the rate. Null if they can.</summary>
    public Func<FindingCase, string?> Obstacle { get; init; } = _ => null;

    /// <summary>What the parameters of the simulated account alone predict. Default <see cref="FindingCase.PredictedRatio"/>.</summary>
    public Func<FindingCase, Assumption?>? Prediction { get; init; }

    /// <summary>A spec without the settings that the claim is about.</summary>
    public Func<RunSpec, RunSpec> Remove { get; init; } = spec => spec;

    /// <summary>What a claim adds to the result of the comparison.</summary>
    public Func<FindingCase, FindingResult, FindingResult> Complete { get; init; } = (_, result) => result;

    public override string ClaimFor(FindingSpec finding) =>
        IsSameness ? ClaimText.Sameness(Claim, ThresholdOf(finding)) : ClaimText.Gain(Claim, ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) => MisfitOf(variants[0], variants[1]);

    public override Assumption? FollowsFrom(FindingCase given) => Prediction is null ? base.FollowsFrom(given) : Prediction(given);

    /// <summary>The effect alone does not decide a claim of several parts.</summary>
    public override FindingVerdict? VerdictAt(double effect, FindingSpec finding) =>
        Parts > 1 ? null
        : CanTie(finding) && Equivalence.NegligibleBand.Contains(effect) ? FindingVerdict.NoDifference
        : base.VerdictAt(effect, finding);

    private bool CanTie(FindingSpec finding) => !IsSameness && Parts == 1 && ThresholdOf(finding) == 1;

    public override FindingResult Judge(FindingCase given) => Complete(given, JudgeRatio(given));

    protected override RunSpec WithoutAspect(RunSpec spec) => Remove(spec);

    private FindingResult JudgeRatio(FindingCase given)
    {
        if ((given.NothingMeasured ?? Obstacle(given) ?? given.BoundByMachine ?? CappedAlike(given)) is { } obstacle)
            return FindingResult.NotTested(obstacle);
        if (given.Compare(FigureOf, LessIsBetter) is not { } comparison)
            return FindingResult.NotTested($"{Figure} was not measured in every run");

        var sides = Sides ?? $"{given.Changed.Name} / {given.Baseline.Name}";
        var effectOf = $"{Figure}, {sides}";
        var statement = Statement(given, Numbers.Brief(comparison.Ratio));
        if (!comparison.IsRepeated)
            return comparison.ToFinding(effectOf, statement).UndecidedBySingleRepeat();

        var threshold = ThresholdOf(given.Spec);
        var verdict = IsSameness ? given.Verdicts.OfSameness(comparison.Effect, threshold)
            : CanTie(given.Spec) ? given.Verdicts.OfAnyGain(comparison.Effect)
            : given.Verdicts.OfPart(comparison.Effect, threshold, Parts);
        var outcome = IsSameness || verdict == FindingVerdict.NoDifference
            ? comparison.ToSamenessFinding(effectOf, statement)
            : comparison.ToFinding(effectOf, statement);
        if (HeldBack(given, verdict, comparison.Ratio) is { } reason)
            return outcome.UndecidedBecause(reason);
        return IsSameness
            ? outcome.DecideSameness(verdict, comparison, threshold, band => $"the same within {band}", "a difference that matters")
            : outcome.DecideGain(
                verdict, comparison, threshold,
                threshold == 1 && Verdicts.Default.IsNoGain(comparison.Effect) ? ": a real gain, though too small to matter" : "",
                comparison.Effect.At().LiesBelow(1) ? ": worse, not better" : ": no gain that matters") with
            {
                Interval90 = threshold == 1 ? comparison.Interval90 : null,
            };
    }

    /// <summary>
    /// Why the verdict cannot stand: an outside limit held back the variant that came off worse, so that it could do more. Of equal rates
    /// neither may have been held back. Null if the verdict stands.
    /// </summary>
    private string? HeldBack(FindingCase given, FindingVerdict verdict, double ratio)
    {
        var suspects = verdict switch
        {
            FindingVerdict.Supported => IsSameness ? given.Variants : [given.Baseline],
            FindingVerdict.NoDifference => given.Variants,
            FindingVerdict.Refuted => [IsSameness && ratio >= 1 ? given.Baseline : given.Changed],
            _ => [],
        };
        return suspects.FirstOrDefault(variant => CapOf(variant) is not null) is { } held
            ? $"{held.Name} was held back by {Words.From(CapOf(held))}"
            : null;
    }

    private string? CappedAlike(FindingCase given) => CapOf(given.Baseline) is { } cap && CapOf(given.Changed) == cap
        ? $"both variants were bound by {Words.From(cap)}, which set the rate of both"
        : null;

    /// <summary>The limit that hides the effect in a variant's runs. Null if none does.</summary>
    private BoundBy? CapOf(MeasuredVariant variant) => variant.Cap is { } cap && Hides(cap) ? cap : null;
}
