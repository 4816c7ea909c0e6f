using ScaleOut.Statistics;

namespace ScaleOut.Findings.Testing;

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
    public static FindingOutcome NotTested(string reason) => new() { Verdict = FindingVerdict.NotTested, Reason = reason, Sentence = $"Not tested: {reason}." };
}
