namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// Says of a tested claim where its effect comes from. What follows from parameters of the simulated account gets no verdict: a simulation
/// cannot confirm what it was given.
/// </summary>
internal static class Origins
{
    /// <summary>The reason of every <see cref="FindingVerdict.Assumed"/>.</summary>
    public const string NoVerdict = "on the simulated account the effect follows from its parameters, so there is no verdict";

    /// <summary>Adds the origin, and takes the verdict away where the effect is assumed.</summary>
    public static FindingResult Label(FindingTest test, FindingCase given, FindingResult outcome)
    {
        var simulated = given.Variants.Any(variant => variant.Simulated);
        if (given.Variants.All(variant => variant.Usable.Count == 0))
            return outcome with { Simulated = simulated };
        if (!simulated)
            return outcome with { Origin = FindingOrigin.Measured };
        if (test.FollowsFrom(given) is not { } assumption)
            return outcome with { Origin = FindingOrigin.Emergent, Simulated = true };
        var labelled = outcome with { Origin = FindingOrigin.Assumed, Simulated = true, FollowsFrom = assumption.Parameters };
        return outcome.Verdict == FindingVerdict.NotTested ? labelled : labelled with
        {
            Verdict = FindingVerdict.Assumed,
            Predicted = assumption.Predicted,
            Sentence = Sentence(assumption, outcome),
            Reason = NoVerdict,
        };
    }

    private static string Sentence(Assumption assumption, FindingResult outcome)
    {
        var predicted = assumption.Predicted is { } figure ? $"predict {ClaimText.Ratio(figure)} x" : "give no figure";
        var measured = outcome.Effect is { } effect
            ? $", measured {ClaimText.Ratio(effect)} x"
                + (outcome.Interval95 is { } known ? $" ({ClaimText.Ratio(known.Low)} to {ClaimText.Ratio(known.High)})" : "")
            : "";
        return $"Follows from {assumption.Parameters}: the parameters alone {predicted}{measured}.";
    }
}
