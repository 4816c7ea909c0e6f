using ScaleOut.Statistics;

namespace ScaleOut.Findings;

/// <summary>What came of testing a claim. Its JSON names are a contract.</summary>
public sealed record FindingResult
{
    /// <summary>The spec's id, or the kind's name.</summary>
    public required string Id { get; init; }

    public required FindingKind Kind { get; init; }

    /// <summary>The claim as a sentence.</summary>
    public required string Claim { get; init; }

    public required FindingVerdict Verdict { get; init; }

    /// <summary>The effect as a ratio; above 1 is what a claim of a gain says. Null where nothing was compared.</summary>
    public double? Effect { get; init; }

    /// <summary>What <see cref="Effect"/> is a ratio of, such as <c>documents per second, direct / gateway</c>; null with it.</summary>
    public string? EffectOf { get; init; }

    /// <summary>95% interval of <see cref="Effect"/>; where one of several comparisons decides it is wide enough for all of them together. Null without repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>90% interval, which decides whether something is negligible; null for claims that do not ask that.</summary>
    public Interval? Interval90 { get; init; }

    public PublishedValue? Published { get; init; }

    /// <summary>What a person would say.</summary>
    public required string Sentence { get; init; }

    /// <summary>Why it was not tested, or why nothing could be decided; null when there is a verdict.</summary>
    public string? Reason { get; init; }

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
}
