namespace ScaleOut.Analysis.Findings;

/// <summary>The result of testing a claim. Its JSON names are a contract.</summary>
public sealed record FindingResult
{
    /// <summary>The id in the spec. If the spec has none, the name of the kind.</summary>
    public string Id { get; init; } = "";

    public FindingKind Kind { get; init; }

    /// <summary>The claim as a sentence.</summary>
    public string Claim { get; init; } = "";

    /// <summary>The verdict as if the experiment had only this finding. It is wrong in at most 5% of experiments.</summary>
    public required FindingVerdict Verdict { get; init; }

    /// <summary>
    /// The smallest share of wrong verdicts at which <see cref="Verdict"/> would still stand, 1e-9 to 0.05. Null if the claim is not
    /// decided, or was not tested as part of an experiment.
    /// </summary>
    public double? PValue { get; init; }

    /// <summary>The verdict after correction for the experiment's other findings. Null if <see cref="PValue"/> is null.</summary>
    public HolmVerdict? Holm { get; init; }

    /// <summary>
    /// The measured effect as a ratio. Where the claim is about a gain, a ratio above 1 is a gain. Null if nothing was compared.
    /// </summary>
    public double? Effect { get; init; }

    /// <summary>
    /// The figures that <see cref="Effect"/> is a ratio of, such as <c>documents per second, direct / gateway</c>. Null without an effect.
    /// </summary>
    public string? EffectOf { get; init; }

    /// <summary>
    /// 95% interval of <see cref="Effect"/>. If one of several comparisons decides, the interval is wide enough for all of them together.
    /// Null without repeats.
    /// </summary>
    public Interval? Interval95 { get; init; }

    /// <summary>
    /// 90% interval of <see cref="Effect"/>. It decides whether an effect is negligible. Null if the claim does not depend on that.
    /// </summary>
    public Interval? Interval90 { get; init; }

    /// <summary>Where the effect comes from. Null without usable runs. It can also be null if the claim was not tested.</summary>
    public FindingOrigin? Origin { get; init; }

    /// <summary>
    /// The parameters of the simulated account that predict the effect, such as <c>gatewayHopMs = 2</c>. Null if none do, or if the account
    /// is not simulated.
    /// </summary>
    public string? FollowsFrom { get; init; }

    /// <summary>The value of <see cref="Effect"/> that these parameters alone predict. Null if they give no figure.</summary>
    public double? Predicted { get; init; }

    /// <summary>
    /// <see cref="Effect"/> / <see cref="Predicted"/>: the part of the effect that the parameters do not explain. Null if either is null.
    /// </summary>
    public double? MeasuredOverPredicted => Predicted > 0 ? Effect / Predicted : null;

    public PublishedValue? Published { get; init; }

    /// <summary>The result as a sentence for people.</summary>
    public required string Sentence { get; init; }

    /// <summary>The sentence of a decided claim without its full stop, so that text can be appended.</summary>
    internal string? Statement { get; init; }

    /// <summary>Why the claim was not tested, was not decided or has no verdict. Null if it is decided.</summary>
    public string? Reason { get; init; }

    /// <summary>
    /// The condition under which at most 5% of such verdicts are wrong. Null if the claim is not decided.
    /// </summary>
    public string? RestsOn { get; init; }

    /// <summary>Whether any of the runs used the simulated account.</summary>
    public bool Simulated { get; init; }

    /// <summary>Names of the variants that test the claim, in the order of the spec.</summary>
    public IReadOnlyList<string> Variants { get; init; } = [];

    /// <summary>What a reader must know before trusting the verdict, such as runs that were left out.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The highest rate. Only for <see cref="FindingKind.ConcurrencyPeak"/>.</summary>
    public PeakFinding? Peak { get; init; }

    /// <summary>Predicted and measured rates. Only for <see cref="FindingKind.SingleUnitPredictsFleet"/>.</summary>
    public IReadOnlyList<FleetPrediction>? Fleet { get; init; }

    /// <summary>The fitted law, or why there is none. Only for <see cref="FindingKind.ScalabilityLaw"/>.</summary>
    public ScalabilityFit? Law { get; init; }

    /// <summary>The result for a claim that these runs cannot test, however many repeats there are.</summary>
    internal static FindingResult NotTested(string reason) =>
        new() { Verdict = FindingVerdict.NotTested, Reason = reason, Sentence = $"Not tested: {reason}." };
}

/// <summary>
/// A verdict after Holm's correction. After it, at most 5% of all experiments have any wrong verdict. The same holds for questions that
/// several experiments ask, if <paramref name="InterimAnalyses"/> counts those experiments.
/// </summary>
/// <param name="PValue">Adjusted p, 0 to 1. The verdict stands if it is at most 0.05.</param>
/// <param name="Findings">Number of findings of the experiment that were tested.</param>
/// <param name="InterimAnalyses">See <see cref="ExperimentSpec.InterimAnalyses"/>.</param>
public sealed record HolmVerdict(
    FindingVerdict Verdict, double PValue, int Findings, [property: JsonPropertyName("looks")] int InterimAnalyses = 1);

/// <summary>What the measurements say about a claim.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<FindingVerdict>))]
public enum FindingVerdict
{
    /// <summary>The claim is shown.</summary>
    Supported,

    /// <summary>The claim's opposite is shown.</summary>
    Refuted,

    /// <summary>A tie is shown: the effect is negligible, whichever way it goes.</summary>
    NoDifference,

    /// <summary>Neither is shown: the interval contains the limit of the claim, or there is no interval.</summary>
    Inconclusive,

    /// <summary>
    /// No verdict. The parameters of the simulated account alone predict the effect or decide the claim in the same way.
    /// <see cref="FindingResult.Reason"/> says which.
    /// </summary>
    Assumed,

    /// <summary>The runs cannot test the claim. <see cref="FindingResult.Reason"/> says why.</summary>
    NotTested,
}

/// <summary>The rate that one worker's rate predicts for several workers, beside the measured rate.</summary>
public sealed record FleetPrediction
{
    public required string Variant { get; init; }

    public required int Workers { get; init; }

    /// <summary>Number of workers x the typical rate of one worker.</summary>
    public required double Predicted { get; init; }

    /// <summary>Typical rate of the fleet.</summary>
    public required double Measured { get; init; }

    /// <summary><see cref="Measured"/> / <see cref="Predicted"/>.</summary>
    public required double Efficiency { get; init; }

    /// <summary>95% interval of <see cref="Efficiency"/>; null without repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>Why the fleet does not count, such as <c>bound by request units</c>. Null if it counts.</summary>
    public string? LeftOut { get; init; }
}

/// <summary>Where the rate was highest.</summary>
public sealed record PeakFinding
{
    /// <summary>The variant with the highest rate.</summary>
    public required string Variant { get; init; }

    /// <summary>Operations in flight of all workers of that variant together.</summary>
    public required double Concurrency { get; init; }

    /// <summary>Typical rate of that variant.</summary>
    public required double Rate { get; init; }

    /// <summary>
    /// Whether variants with more operations in flight were measured, and none of them is better by more than a negligible factor.
    /// </summary>
    public required bool Confirmed { get; init; }

    /// <summary>The steps of the search.</summary>
    public required IReadOnlyList<PeakStep> Steps { get; init; }
}

/// <summary>Where the effect of a finding comes from. This decides what its verdict can be about.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<FindingOrigin>))]
public enum FindingOrigin
{
    /// <summary>
    /// The effect comes from parameters of the simulated account, such as the gateway's hop: the measured interval contains the effect that
    /// they alone predict. The measurement shows that the parameters have their effect. It shows nothing about a real account, so there is
    /// no verdict (<see cref="FindingVerdict.Assumed"/>).
    /// </summary>
    Assumed,

    /// <summary>
    /// The effect comes from the real SDK, client code, protocols, queues and cores, run against the simulated account: the measured
    /// interval does not contain the effect that the account's parameters alone predict. The ratio of measured and predicted effect
    /// describes this client with that account.
    /// </summary>
    Emergent,

    /// <summary>The effect was measured on a real account or an emulator. The verdict is about that account.</summary>
    Measured,
}

internal static class FindingVerdicts
{
    /// <summary>Whether the claim is decided: its verdict has a share of errors.</summary>
    public static bool IsDecided(this FindingVerdict verdict) =>
        verdict is FindingVerdict.Supported or FindingVerdict.Refuted or FindingVerdict.NoDifference;
}
