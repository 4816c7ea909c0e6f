namespace ScaleOut.Analysis.Findings;

/// <summary>What came of testing a claim. Its JSON names are a contract.</summary>
public sealed record FindingResult
{
    /// <summary>The spec's id, or the kind's name.</summary>
    public string Id { get; init; } = "";

    public FindingKind Kind { get; init; }

    /// <summary>The claim as a sentence.</summary>
    public string Claim { get; init; } = "";

    /// <summary>As if it were the experiment's only finding: wrong in at most 5% of experiments.</summary>
    public required FindingVerdict Verdict { get; init; }

    /// <summary>
    /// The smallest share of wrong verdicts at which <see cref="Verdict"/> would still stand, 1e-9 to 0.05; null if it is
    /// neither supported nor refuted, and for a claim that was tested apart from an experiment.
    /// </summary>
    public double? PValue { get; init; }

    /// <summary>What is left of the verdict among the experiment's other findings; null as <see cref="PValue"/> is.</summary>
    public HolmVerdict? Holm { get; init; }

    /// <summary>The effect as a ratio; above 1 is what a claim of a gain says. Null if nothing was compared.</summary>
    public double? Effect { get; init; }

    /// <summary>What <see cref="Effect"/> is a ratio of, such as <c>documents per second, direct / gateway</c>; null with it.</summary>
    public string? EffectOf { get; init; }

    /// <summary>
    /// 95% interval of <see cref="Effect"/>; where one of several comparisons decides it is wide enough for all of them together. Null
    /// without repeats.
    /// </summary>
    public Interval? Interval95 { get; init; }

    /// <summary>90% interval, which decides whether something is negligible; null for claims that do not ask that.</summary>
    public Interval? Interval90 { get; init; }

    /// <summary>Where the effect comes from; null when there are no runs to say it of.</summary>
    public FindingOrigin? Origin { get; init; }

    /// <summary>
    /// On the simulated account the parameters that predict the effect, such as <c>gatewayHopMs = 2</c>; null if none do, and for others.
    /// </summary>
    public string? FollowsFrom { get; init; }

    /// <summary>What those parameters alone predict of <see cref="Effect"/>; null if they give no figure.</summary>
    public double? Predicted { get; init; }

    /// <summary><see cref="Effect"/> over <see cref="Predicted"/>: what emerges; null without either.</summary>
    public double? MeasuredOverPredicted => Predicted > 0 ? Effect / Predicted : null;

    public PublishedValue? Published { get; init; }

    /// <summary>What a person would say.</summary>
    public required string Sentence { get; init; }

    /// <summary>
    /// Why it was not tested, why nothing could be decided, or why there is no verdict; null when it is supported or refuted.
    /// </summary>
    public string? Reason { get; init; }

    /// <summary>Under which condition at most 5% of such verdicts are wrong; null if it is neither supported nor refuted.</summary>
    public string? RestsOn { get; init; }

    /// <summary>Whether it rests on runs against the simulated account.</summary>
    public bool Simulated { get; init; }

    /// <summary>The variants that it rests on, as the spec orders them.</summary>
    public IReadOnlyList<string> Variants { get; init; } = [];

    /// <summary>What a reader must know before trusting the verdict: runs left out, limits that bound them.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Where the peak is; only for <see cref="FindingKind.ConcurrencyPeak"/>.</summary>
    public PeakFinding? Peak { get; init; }

    /// <summary>Predicted and measured rates; only for <see cref="FindingKind.SingleUnitPredictsFleet"/>.</summary>
    public IReadOnlyList<FleetPrediction>? Fleet { get; init; }

    /// <summary>The fitted law, or why there is none; only for <see cref="FindingKind.ScalabilityLaw"/>.</summary>
    public ScalabilityFit? Law { get; init; }

    /// <summary>The claim stays open for a reason that no number of repeats would change.</summary>
    internal static FindingResult NotTested(string reason) =>
        new() { Verdict = FindingVerdict.NotTested, Reason = reason, Sentence = $"Not tested: {reason}." };
}

/// <summary>
/// A verdict after Holm's correction: of all experiments at most 5% have any that is wrong, and of all questions that are looked at
/// several times.
/// </summary>
/// <param name="PValue">Adjusted, 0 to 1; the verdict stands up to 0.05.</param>
/// <param name="Findings">Findings of the experiment that were tested.</param>
/// <param name="Looks">See <see cref="ExperimentSpec.Looks"/>.</param>
public sealed record HolmVerdict(FindingVerdict Verdict, double PValue, int Findings, int Looks = 1);

/// <summary>What the measurements say of a claim.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<FindingVerdict>))]
public enum FindingVerdict
{
    /// <summary>The claim is shown.</summary>
    Supported,

    /// <summary>The claim's opposite is shown.</summary>
    Refuted,

    /// <summary>Neither is shown: the interval straddles the claim, or there is none.</summary>
    Inconclusive,

    /// <summary>
    /// No verdict: the simulated account's parameters alone give the effect, or decide the claim in the same way, see
    /// <see cref="FindingResult.Reason"/>.
    /// </summary>
    Assumed,

    /// <summary>The runs cannot say anything about the claim, see <see cref="FindingResult.Reason"/>.</summary>
    NotTested,
}

/// <summary>One configuration of an experiment with what each of its repeats measured.</summary>
public sealed record VariantResult
{
    /// <summary>Its name in the spec.</summary>
    public required string Name { get; init; }

    /// <summary>The effective spec: the base with the variant's changes.</summary>
    public required RunSpec Spec { get; init; }

    /// <summary>In the order in which they ran.</summary>
    public IReadOnlyList<RunFigures> Repeats { get; init; } = [];

    /// <summary>Runs that were made, those without figures too; null if each has some.</summary>
    public int? Runs { get; init; }
}

/// <summary>What one worker's rate predicts for N of them, beside what they did.</summary>
public sealed record FleetPrediction
{
    public required string Variant { get; init; }

    public required int Workers { get; init; }

    /// <summary>N x the typical rate of one worker.</summary>
    public required double Predicted { get; init; }

    /// <summary>Typical rate of the fleet.</summary>
    public required double Measured { get; init; }

    /// <summary><see cref="Measured"/> / <see cref="Predicted"/>.</summary>
    public required double Efficiency { get; init; }

    /// <summary>95% interval of <see cref="Efficiency"/>; null without repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>Why the fleet says nothing about the clients, such as <c>bound by request units</c>; null when it does.</summary>
    public string? LeftOut { get; init; }
}

/// <summary>Where the rate was highest.</summary>
public sealed record PeakFinding
{
    /// <summary>The variant there.</summary>
    public required string Variant { get; init; }

    /// <summary>Operations in flight of all its workers together.</summary>
    public required double Concurrency { get; init; }

    /// <summary>Typical rate there.</summary>
    public required double Rate { get; init; }

    /// <summary>Whether a higher level was measured and shown not to be better by more than what is negligible.</summary>
    public required bool Confirmed { get; init; }

    /// <summary>The search, step by step.</summary>
    public required IReadOnlyList<PeakStep> Steps { get; init; }
}

/// <summary>Where the effect of a finding comes from, and so what a verdict on it can be about.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<FindingOrigin>))]
public enum FindingOrigin
{
    /// <summary>
    /// From parameters of the simulated account, such as the gateway's hop: the measured interval holds what they alone predict. Measuring
    /// it shows that they have their effect, and nothing of any real account. There is no verdict
    /// (<see cref="FindingVerdict.Assumed"/>).
    /// </summary>
    Assumed,

    /// <summary>
    /// From the real SDK and client code, protocols, queues and cores against the simulated account: the measured interval does not hold
    /// what the account's parameters alone predict, and the ratio of the two is about this client under those physics.
    /// </summary>
    Emergent,

    /// <summary>From a real account or an emulator: a verdict on that account.</summary>
    Measured,
}
