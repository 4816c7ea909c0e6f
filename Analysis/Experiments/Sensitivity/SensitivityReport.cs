using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Findings.Catalog;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>How far an experiment's findings rest on the assumed physics: its runs in virtual time, under the experiment's own physics as a
/// control and under draws of them. Its JSON names are a contract.</summary>
public sealed record SensitivityReport
{
    /// <summary>Experiment id.</summary>
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; init; }

    /// <summary>Of the draws.</summary>
    public required int Seed { get; init; }

    /// <summary>What was drawn, in the order of each draw's values.</summary>
    public required IReadOnlyList<DrawnParameter> Parameters { get; init; }

    /// <summary>Names of the parameters that are not drawn, because the profile of the experiment's physics measured them.</summary>
    public IReadOnlyList<string> Measured { get; init; } = [];

    /// <summary>Each variant as it was measured, and as it is simulated under the same physics.</summary>
    public required IReadOnlyList<ControlVariant> Control { get; init; }

    /// <summary>In the order of their numbers.</summary>
    public required IReadOnlyList<PhysicsDraw> Draws { get; init; }

    /// <summary>In the order of the spec.</summary>
    public required IReadOnlyList<FindingSensitivity> Findings { get; init; }

    /// <summary>Tests the findings on simulated figures, as they are tested on measured ones.</summary>
    /// <param name="own">The experiment's report.</param>
    /// <param name="notSimulated">Why variants are not simulated, by their names.</param>
    /// <param name="control">The others under the experiment's own physics.</param>
    /// <param name="draws">The same under each draw.</param>
    public static SensitivityReport From(
        ExperimentReport own, IReadOnlyDictionary<string, string> notSimulated, IReadOnlyList<VariantResult> control,
        IReadOnlyList<(PhysicsDraw Draw, IReadOnlyList<VariantResult> Variants)> draws)
    {
        ArgumentNullException.ThrowIfNull(own);
        ArgumentNullException.ThrowIfNull(notSimulated);
        ArgumentNullException.ThrowIfNull(control);
        ArgumentNullException.ThrowIfNull(draws);
        var (scaled, seed) = (SensitivityDraws.ScaledIn(own.Spec), SensitivityDraws.SeedOf(own.Spec));
        var drawn = SensitivityDraws.DrawnIn(own.Spec);
        return new SensitivityReport
        {
            Id = own.Id,
            Name = own.Name,
            Seed = seed,
            Parameters = [.. drawn.Select(parameter => DrawnParameter.From(parameter, scaled.Contains(parameter.Name)))],
            Measured = [.. PhysicsParameters.All.Except(drawn).Select(parameter => parameter.Name)],
            Control =
            [
                .. own.Variants.Select(variant => ControlVariant.From(
                    variant, control.FirstOrDefault(one => one.Name == variant.Name), notSimulated.GetValueOrDefault(variant.Name))),
            ],
            Draws = [.. draws.Select(draw => draw.Draw)],
            Findings =
            [
                .. own.Findings.Select((finding, i) =>
                    finding.Variants.Where(notSimulated.ContainsKey).Distinct()
                        .Select(name => $"{name}: {notSimulated[name]}").ToList() is { Count: > 0 } reasons
                        ? FindingSensitivity.Without(finding, string.Join("; ", reasons), draws.Count)
                        : FindingSensitivity.From(
                            finding,
                            FindingTests.Evaluate(own.Spec.Findings[i], control),
                            [.. draws.Select(draw => FindingTests.Evaluate(own.Spec.Findings[i], draw.Variants))],
                            drawn, [.. draws.Select(draw => draw.Draw.Values)], seed)),
            ],
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

/// <summary>What virtual time makes of a variant under the physics that it was measured with.</summary>
public sealed record ControlVariant
{
    /// <summary>The variant's name.</summary>
    public required string Name { get; init; }

    /// <summary>Rate by the runs; null where none is measured or none simulated.</summary>
    public ControlFigure? Rate { get; init; }

    /// <summary>99th percentile of the latency of an operation, ms; null as <see cref="Rate"/> is.</summary>
    public ControlFigure? P99LatencyMs { get; init; }

    /// <summary>Why it is not simulated; null when it is, and where nothing was measured.</summary>
    public string? NotSimulated { get; init; }

    internal static ControlVariant From(VariantReport own, VariantResult? simulated, string? reason) => new()
    {
        Name = own.Name,
        Rate = ControlFigure.From(own, simulated, figures => figures.Rate),
        P99LatencyMs = ControlFigure.From(own, simulated, figures => figures.P99LatencyMs),
        NotSimulated = reason,
    };
}

/// <summary>A figure of a variant over its runs, as geometric means.</summary>
/// <param name="Measured">By the runs.</param>
/// <param name="Simulated">By the same runs in virtual time.</param>
public sealed record ControlFigure(double Measured, double Simulated)
{
    /// <summary>Simulated / measured - 1.</summary>
    public double Error => (Simulated / Measured) - 1;

    internal static ControlFigure? From(VariantReport own, VariantResult? simulated, Func<RunFigures, double?> figure)
    {
        static double? Mean(IEnumerable<double?> values) => Estimate.From(values)?.Value;
        return simulated is not null && Mean(own.Counted.Select(run => figure(run.Figures!))) is { } measured
            && Mean(simulated.Repeats.Where(run => run.IsUsable).Select(figure)) is { } found
            ? new ControlFigure(Math.Round(measured, 3), Math.Round(found, 3))
            : null;
    }
}

/// <summary>One finding over all draws.</summary>
public sealed record FindingSensitivity
{
    /// <summary>The finding's id.</summary>
    public required string Id { get; init; }

    /// <summary>The claim as a sentence.</summary>
    public required string Claim { get; init; }

    /// <summary>Why the draws say nothing of it: then there are no outcomes. Null when they do.</summary>
    public string? NotSimulated { get; init; }

    /// <summary>
    /// Whether it is looked at by the direction of its effect (<c>above 1</c>, <c>below 1</c>), as it is assumed and has no verdict.
    /// </summary>
    public required bool ByDirection { get; init; }

    /// <summary>What <see cref="FindingResult.Effect"/> is a ratio of; null where nothing was compared.</summary>
    public string? EffectOf { get; init; }

    /// <summary>The experiment's own verdict or direction; null where it has none.</summary>
    public string? Own { get; init; }

    /// <summary>The same in virtual time under the experiment's own physics; null where it has none, and without draws.</summary>
    public string? Control { get; init; }

    /// <summary>Verdict or direction in each draw; null where it could not be tested.</summary>
    public required IReadOnlyList<string?> Outcomes { get; init; }

    /// <summary>Effect in each draw; null where there was none.</summary>
    public required IReadOnlyList<double?> Effects { get; init; }

    /// <summary>Draws that have an outcome.</summary>
    public int Tested { get; init; }

    /// <summary>Draws with the outcome <see cref="Reference"/>.</summary>
    public int Same { get; init; }

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

    /// <summary>One that the draws say nothing of.</summary>
    internal static FindingSensitivity Without(FindingResult own, string reason, int draws)
    {
        var byDirection = own.Verdict == FindingVerdict.Assumed;
        var found = new FindingSensitivity
        {
            Id = own.Id,
            Claim = own.Claim,
            NotSimulated = reason,
            ByDirection = byDirection,
            EffectOf = own.EffectOf,
            Own = OutcomeOf(own, byDirection),
            Outcomes = new string?[draws],
            Effects = new double?[draws],
            Sentence = "",
        };
        return found with { Sentence = SensitivityText.Sentence(found) };
    }

    internal static FindingSensitivity From(
        FindingResult own, FindingResult control, IReadOnlyList<FindingResult> draws, IReadOnlyList<PhysicsParameter> parameters,
        IReadOnlyList<IReadOnlyList<double>> values, int seed)
    {
        var byDirection = draws.Append(own).Any(one => one.Verdict == FindingVerdict.Assumed);
        var (ownOutcome, controlOutcome) = (OutcomeOf(own, byDirection), OutcomeOf(control, byDirection));
        if (ownOutcome != controlOutcome)
        {
            var differs = Without(own, SensitivityText.Difference(own, control, ownOutcome, controlOutcome), draws.Count);
            return differs with { Control = controlOutcome };
        }

        var outcomes = draws.Select(draw => OutcomeOf(draw, byDirection)).ToList();
        var known = Enumerable.Range(0, draws.Count).Where(i => outcomes[i] is not null).ToList();
        var frequent = known.GroupBy(i => outcomes[i]).OrderByDescending(group => group.Count()).FirstOrDefault()?.Key;
        var reference = ownOutcome ?? frequent;
        var same = known.Count(i => outcomes[i] == reference);
        var flipOf = same > 0 ? reference : frequent;
        var flip = FlipPoint.Find(
            parameters, [.. known.Select(i => values[i])], [.. known.Select(i => outcomes[i] == flipOf)], seed);
        var found = new FindingSensitivity
        {
            Id = own.Id,
            Claim = own.Claim,
            ByDirection = byDirection,
            EffectOf = own.EffectOf ?? draws.Select(draw => draw.EffectOf).FirstOrDefault(text => text is not null),
            Own = ownOutcome,
            Control = controlOutcome,
            Outcomes = outcomes,
            Effects = [.. draws.Select(draw => draw.Effect)],
            Tested = known.Count,
            Same = same,
            Reference = reference,
            FlipOf = flip is null ? null : flipOf,
            Flip = flip,
            Sentence = "",
        };
        return found with { Sentence = SensitivityText.Sentence(found) };
    }

    private static string? OutcomeOf(FindingResult finding, bool byDirection) => finding switch
    {
        { Verdict: FindingVerdict.NotTested } => null,
        _ when !byDirection => FindingText.Verdict(finding.Verdict),
        { Effect: { } effect } => effect > 1 ? "above 1" : "below 1",
        _ => null,
    };
}
