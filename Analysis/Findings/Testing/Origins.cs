namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// Adds to a tested claim where its effect comes from. One rule holds for every kind: the effect is assumed if the measured interval
/// contains the effect that the simulated account's parameters alone predict. Otherwise the difference between the two emerges from the
/// client.
/// </summary>
internal static class Origins
{
    /// <summary>The reason for <see cref="FindingVerdict.Assumed"/> if the effect is as predicted.</summary>
    public const string NoVerdict = "on the simulated account the effect follows from its parameters, so there is no verdict";

    /// <summary>The reason for <see cref="FindingVerdict.Assumed"/> if the effect differs from the prediction.</summary>
    public const string ClaimFollows =
        "the simulated account's parameters alone decide the claim in the same way, so only the factor emerges";

    /// <summary>The reason for <see cref="FindingVerdict.Assumed"/> if the parameters are not known.</summary>
    public const string UnknownPhysics =
        "the parameters of this simulated account are not known, so nothing says which part of the effect follows from them";

    /// <summary>Adds the origin. Removes the verdict if the parameters alone lead to it.</summary>
    public static FindingResult Label(FindingTest test, FindingCase given, FindingResult outcome)
    {
        var simulated = given.Variants.Any(variant => variant.Simulated);
        var known = given.Variants.Any(variant => variant.Usable.Count > 0);
        if (!simulated || !known)
        {
            return outcome with { Simulated = simulated, Origin = known ? FindingOrigin.Measured : null, Predicted = null };
        }

        outcome = outcome with { Simulated = true };
        if (given.Variants.Any(variant => variant.Repeats.Any(figures => figures.HasUnknownPhysics)))
            return outcome.Verdict == FindingVerdict.NotTested ? outcome : outcome with
            {
                Origin = FindingOrigin.Assumed,
                Verdict = FindingVerdict.Assumed,
                Predicted = null,
                Reason = UnknownPhysics,
            };
        if (test.FollowsFrom(given) is not { } assumption)
            return outcome with { Origin = FindingOrigin.Emergent };
        outcome = outcome with { FollowsFrom = assumption.Parameters, Predicted = assumption.Predicted ?? outcome.Predicted };
        if (outcome.Verdict == FindingVerdict.NotTested)
            return outcome;
        return outcome is { Predicted: { } predicted, Interval95: { } interval } && !interval.Contains(predicted)
            ? Emergent(test, given, outcome, predicted, interval)
            : assumption.Unpredicted is { } unpredicted && outcome.Interval95 is not null
                ? outcome with { Origin = FindingOrigin.Emergent, Sentence = $"{outcome.Sentence} {unpredicted}" }
                : outcome with
                {
                    Origin = FindingOrigin.Assumed,
                    Verdict = FindingVerdict.Assumed,
                    Sentence = $"{Compared(outcome)}.",
                    Reason = NoVerdict,
                };
    }

    private static FindingResult Emergent(
        FindingTest test, FindingCase given, FindingResult outcome, double predicted, Interval interval)
    {
        var beyond = interval.Times(1 / predicted);
        var factor = $"{Numbers.Brief(outcome.Effect!.Value / predicted)} times that "
            + $"({Numbers.Brief(beyond.Low)} to {Numbers.Brief(beyond.High)})";
        outcome = outcome with { Origin = FindingOrigin.Emergent };
        return test.VerdictAt(predicted, given.Spec) == outcome.Verdict
            ? outcome with
            {
                Verdict = FindingVerdict.Assumed,
                Reason = ClaimFollows,
                Sentence = $"{Compared(outcome)}, which is {factor}. The claim follows from the parameters; that factor emerges.",
            }
            : outcome with
            {
                Sentence = $"{outcome.Sentence} The parameters alone ({outcome.FollowsFrom}) predict {Numbers.Brief(predicted)} x; "
                    + $"measured is {factor}.",
            };
    }

    private static string Compared(FindingResult outcome)
    {
        var predicted = outcome.Predicted is { } figure ? $"predict {Numbers.Brief(figure)} x" : "give no figure";
        var measured = outcome.Effect is { } effect
            ? $", measured {Numbers.Brief(effect)} x"
                + (outcome.Interval95 is { } known ? $" ({Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)})" : "")
            : "";
        return $"Follows from {outcome.FollowsFrom}: the parameters alone {predicted}{measured}";
    }
}
