namespace ScaleOut.Storage;

/// <summary>Holds the results that are kept of a worker's legs against the leg that is to be run.</summary>
public static class LegEvidence
{
    /// <summary>Makes sure that a kept result is the one of a leg: a spec that was changed meanwhile gives other numbers.</summary>
    /// <exception cref="EvidenceException">It is not.</exception>
    public static void EnsureFits(LegInput leg, LegResult kept)
    {
        EnsureSameSlice(leg, kept);
        if (kept.Range.First != leg.Next)
            throw Contradiction(leg, kept, $"it begins at document {kept.Range.First}, and the leg before it ends at {leg.Next}");
    }

    /// <summary>Makes sure that a leg that has no result lies between those that have one.</summary>
    /// <param name="before">The last result before it; null for none.</param>
    /// <param name="after">The first result after it; null for none.</param>
    /// <exception cref="EvidenceException">It does not.</exception>
    public static void EnsureAround(LegInput leg, LegResult? before, LegResult? after)
    {
        if (before is not null)
            EnsureSameSlice(leg, before);
        if (after is not null)
            EnsureSameSlice(leg, after);
        if (before is not null && leg.Next < before.Output.Next)
            throw Contradiction(leg, before, $"it ends at document {before.Output.Next}, and leg {leg.Leg} is to begin at {leg.Next}");
        if (after is not null && after.Range.First < leg.Next)
            throw Contradiction(leg, after, $"it begins at document {after.Range.First}, and leg {leg.Leg} before it at {leg.Next}");
    }

    private static void EnsureSameSlice(LegInput leg, LegResult other)
    {
        var (mine, its) = (leg.Assignment.Slice, other.Range.Slice);
        if (its != mine)
            throw Contradiction(leg, other, $"it was made for {Describe(its)}, and the run's spec.json gives its worker {Describe(mine)}");
    }

    private static EvidenceException Contradiction(LegInput leg, LegResult result, FormattableString reason) =>
        EvidenceException.Contradicts(
            $"{leg.Assignment.RunId}/{LegNames.Result(result.Output.Worker, result.Output.Leg)}",
            FormattableString.Invariant(reason),
            LegChain.Advice);

    private static string Describe(Slice slice) => FormattableString.Invariant($"the documents {slice.First} to {slice.End - 1}");
}
