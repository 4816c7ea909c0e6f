using ScaleOut.Analysis.Findings;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>How far an experiment's findings rest on the assumed physics: the same experiment under draws of them. Its JSON names are a
/// contract.</summary>
public sealed record SensitivityReport
{
    /// <summary>Experiment id.</summary>
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; init; }

    /// <summary>Share of the documents and times that each draw ran.</summary>
    public required double Scale { get; init; }

    /// <summary>The same of the experiment itself.</summary>
    public required double OwnScale { get; init; }

    /// <summary>Of the draws.</summary>
    public required int Seed { get; init; }

    /// <summary>What was drawn, in the order of each draw's values.</summary>
    public required IReadOnlyList<DrawnParameter> Parameters { get; init; }

    /// <summary>In the order of their numbers.</summary>
    public required IReadOnlyList<DrawResult> Draws { get; init; }

    /// <summary>In the order of the spec.</summary>
    public required IReadOnlyList<FindingSensitivity> Findings { get; init; }

    /// <summary>Sets the draws beside the experiment's own findings.</summary>
    /// <param name="own">The experiment's report.</param>
    /// <param name="scale">Of the draws.</param>
    /// <param name="draws">All draws, with their reports; null for one without any.</param>
    public static SensitivityReport From(
        ExperimentReport own, double scale, IReadOnlyList<(PhysicsDraw Draw, ExperimentReport? Report)> draws)
    {
        ArgumentNullException.ThrowIfNull(own);
        ArgumentNullException.ThrowIfNull(draws);
        var scaled = SensitivityDraws.ScaledIn(own.Spec);
        var seed = SensitivityDraws.SeedOf(own.Spec);
        return new SensitivityReport
        {
            Id = own.Id,
            Name = own.Name,
            Scale = scale,
            OwnScale = own.Scale,
            Seed = seed,
            Parameters = [.. PhysicsParameters.All.Select(parameter => DrawnParameter.From(parameter, scaled.Contains(parameter.Name)))],
            Draws =
            [
                .. draws.Select(draw => new DrawResult(
                    draw.Draw.Number, SensitivityDraws.IdOf(own.Id, draw.Draw.Number), draw.Report?.State, draw.Draw.Values)),
            ],
            Findings = [.. own.Findings.Select((finding, i) => FindingSensitivity.From(
                finding, [.. draws.Select(draw => draw.Report?.Findings[i])], [.. draws.Select(draw => draw.Draw.Values)], seed))],
        };
    }

    /// <summary>The experiment's report with a sentence at each finding.</summary>
    public ExperimentReport NameIn(ExperimentReport own)
    {
        ArgumentNullException.ThrowIfNull(own);
        return own with
        {
            Findings = [.. own.Findings.Select((finding, i) => finding with { Sensitivity = Findings[i].Sentence })],
        };
    }
}

/// <summary>A parameter that was drawn.</summary>
/// <param name="Name">Its field, below <c>simulation</c>.</param>
/// <param name="Low">Low end of the range.</param>
/// <param name="High">High end of the range.</param>
/// <param name="Default">Its default; 1 of a factor.</param>
/// <param name="Logarithmic">Whether the range is walked in equal factors.</param>
/// <param name="Scaled">Whether the variants' own values were multiplied by drawn value / default, as they differ or as it is a factor;
/// else the drawn value replaced them.</param>
/// <param name="Source">Why that range.</param>
public sealed record DrawnParameter(string Name, double Low, double High, double Default, bool Logarithmic, bool Scaled, string Source)
{
    internal static DrawnParameter From(PhysicsParameter parameter, bool scaled) => new(
        parameter.Name, parameter.Low, parameter.High, parameter.Default, parameter.IsLogarithmic, scaled, parameter.Source);
}

/// <summary>One draw and the experiment that was run under it.</summary>
/// <param name="Number">From 1.</param>
/// <param name="ExperimentId">Its id, which has a report of its own.</param>
/// <param name="State">How it ended; null without a report.</param>
/// <param name="Values">In the order of <see cref="SensitivityReport.Parameters"/>.</param>
public sealed record DrawResult(int Number, string ExperimentId, ExperimentState? State, IReadOnlyList<double> Values);

/// <summary>One finding over all draws.</summary>
public sealed record FindingSensitivity
{
    /// <summary>The finding's id.</summary>
    public required string Id { get; init; }

    /// <summary>The claim as a sentence.</summary>
    public required string Claim { get; init; }

    /// <summary>
    /// Whether it is looked at by the direction of its effect (<c>above 1</c>, <c>below 1</c>), as it is assumed and has no verdict.
    /// </summary>
    public required bool ByDirection { get; init; }

    /// <summary>What <see cref="FindingResult.Effect"/> is a ratio of; null where nothing was compared.</summary>
    public string? EffectOf { get; init; }

    /// <summary>The experiment's own verdict or direction; null where it has none.</summary>
    public string? Own { get; init; }

    /// <summary>Verdict or direction in each draw; null where it could not be tested.</summary>
    public required IReadOnlyList<string?> Outcomes { get; init; }

    /// <summary>Effect in each draw; null where there was none.</summary>
    public required IReadOnlyList<double?> Effects { get; init; }

    /// <summary>Draws that have an outcome.</summary>
    public required int Tested { get; init; }

    /// <summary>Draws with the outcome <see cref="Reference"/>.</summary>
    public required int Same { get; init; }

    /// <summary>What the draws are compared with: <see cref="Own"/>, or without one their most frequent outcome; null without any.
    /// </summary>
    public string? Reference { get; init; }

    /// <summary>The outcome that <see cref="Flip"/> is about: the reference, or where no draw has it the most frequent one; null with it.
    /// </summary>
    public string? FlipOf { get; init; }

    /// <summary>Where the outcome flips; null where no parameter separates it better than chance.</summary>
    public FlipPoint? Flip { get; init; }

    /// <summary>What a person would say.</summary>
    public required string Sentence { get; init; }

    internal static FindingSensitivity From(
        FindingResult own, IReadOnlyList<FindingResult?> draws, IReadOnlyList<IReadOnlyList<double>> values, int seed)
    {
        var byDirection = draws.Any(draw => draw?.Verdict == FindingVerdict.Assumed);
        var outcomes = draws.Select(draw => OutcomeOf(draw, byDirection)).ToList();
        var known = Enumerable.Range(0, draws.Count).Where(i => outcomes[i] is not null).ToList();
        var frequent = known.GroupBy(i => outcomes[i]).OrderByDescending(group => group.Count()).FirstOrDefault()?.Key;
        var ownOutcome = OutcomeOf(own, byDirection);
        var reference = ownOutcome ?? frequent;
        var same = known.Count(i => outcomes[i] == reference);
        var flipOf = same > 0 ? reference : frequent;
        var flip = FlipPoint.Find(
            PhysicsParameters.All, [.. known.Select(i => values[i])], [.. known.Select(i => outcomes[i] == flipOf)], seed);
        var found = new FindingSensitivity
        {
            Id = own.Id,
            Claim = own.Claim,
            ByDirection = byDirection,
            EffectOf = own.EffectOf ?? draws.Select(draw => draw?.EffectOf).FirstOrDefault(text => text is not null),
            Own = ownOutcome,
            Outcomes = outcomes,
            Effects = [.. draws.Select(draw => draw?.Effect)],
            Tested = known.Count,
            Same = same,
            Reference = reference,
            FlipOf = flip is null ? null : flipOf,
            Flip = flip,
            Sentence = "",
        };
        return found with { Sentence = SensitivityText.Sentence(found) };
    }

    private static string? OutcomeOf(FindingResult? finding, bool byDirection) => finding switch
    {
        null or { Verdict: FindingVerdict.NotTested } => null,
        _ when !byDirection => FindingText.Verdict(finding.Verdict),
        { Effect: { } effect } => effect > 1 ? "above 1" : "below 1",
        _ => null,
    };
}
