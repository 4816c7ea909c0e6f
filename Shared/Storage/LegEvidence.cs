namespace ScaleOut.Storage;

/// <summary>Holds the results that are kept of a worker's legs against the leg that is to be run.</summary>
public static class LegEvidence
{
    /// <summary>Makes sure that a kept result is the one of a leg: a spec that was changed meanwhile gives other numbers.</summary>
    /// <exception cref="EvidenceException">It is not.</exception>
    private static void EnsureFits(LegInput leg, LegResult kept)
    {
        EnsureSameSlice(leg, kept);
        if (kept.Range.First != leg.Next)
            throw Contradiction(leg, kept, $"it begins at document {kept.Range.First}, and the leg before it ends at {leg.Next}");
    }

    /// <summary>
    /// What a kept result of a leg means to the start that finds it. A stop and a rejection by the account belong to the start that met
    /// them: a later start goes on behind the leg. A first leg also prepares its worker, so one that did no document is run again.
    /// </summary>
    /// <param name="isStopped">Whether the run is to stop now.</param>
    /// <returns>Null if the leg must be run again; its result is thrown away then, and it counts as lost.</returns>
    /// <exception cref="EvidenceException">The result is not the one of the leg.</exception>
    public static async Task<LegOutput?> TakeOverAsync(
        RunFiles files, LegInput leg, LegResult kept, bool isStopped, CancellationToken cancellationToken)
    {
        EnsureFits(leg, kept);
        var output = kept.Output with { IsKept = true };
        var isRejected = output.End is LegEnd.Rejected or LegEnd.AccountSilent;
        if (isStopped || !(isRejected || output.End == LegEnd.Stopped))
            return output;
        if (isRejected && (await files.ReadBegunAsync(cancellationToken)).Count < 2)
            return output;
        if (isRejected && output.Leg == 1 && output.Counts.Done == 0)
        {
            await files.DiscardResultAsync(output.Worker, output.Leg, cancellationToken);
            return null;
        }

        return output with { End = LegEnd.TimeUp, NothingDue = output.NothingDue || output.Counts.Done == 0 };
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
