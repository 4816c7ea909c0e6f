namespace ScaleOut.Storage;

/// <summary>
/// Holds the results of legs against each other and against the spec: each begins where the one before it ended, so that no document counts
/// twice and none is passed over.
/// </summary>
public static class LegChain
{
    internal const string Advice =
        "One of the two items belongs to another run or was changed: restore the one that is right, or delete it and resume the run.";

    /// <summary>Looks for legs whose results are missing.</summary>
    /// <param name="spec">The run's, with its id.</param>
    /// <param name="workers">How the workers ended; empty while they have not.</param>
    /// <returns>By worker and leg.</returns>
    /// <exception cref="EvidenceException">Two of them, or one and the spec, contradict each other.</exception>
    public static IReadOnlyList<MissingLeg> Check(RunSpec spec, LegHarvest legs, IReadOnlyList<WorkerOutcome> workers)
    {
        var slices = Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        foreach (var result in legs.Results.Where(result => result.Output.Worker >= slices.Count))
            throw Contradiction(
                spec,
                result,
                FormattableString.Invariant(
                    $"it is of worker {result.Output.Worker}, and {spec.Id}/spec.json has {slices.Count} workers (the first is worker 0)"));
        var byWorker = legs.Results.ToLookup(result => result.Output.Worker);
        var done = workers.Where(worker => worker.End == WorkerEnd.Done).Select(worker => worker.Worker).ToHashSet();
        var setAside = legs.Damaged
            .Where(item => item.Name.Item == LegItem.Damaged)
            .ToLookup(item => item.Name.Worker, item => item.Name.Leg);
        return [.. slices.SelectMany((slice, worker) =>
        {
            var (missing, last) = Check(spec, worker, slice, byWorker[worker]);
            var isWhole = last?.Output.End is LegEnd.SliceDone or LegEnd.StepsDone;
            // Of a worker that ended before its time only what was set aside shows that there was another leg.
            var next = (last?.Output.Leg ?? 0) + 1;
            if (!isWhole && (done.Contains(worker) || setAside[worker].Any(leg => leg >= next)))
                missing.Add(new MissingLeg(worker, next, Documents: null));
            return missing;
        })];
    }

    private static (List<MissingLeg> Missing, LegResult? Last) Check(RunSpec spec, int worker, Slice slice, IEnumerable<LegResult> legs)
    {
        LegResult? last = null;
        var missing = new List<MissingLeg>();
        var (number, next, ahead) = (0, slice.First, (IReadOnlyList<Slice>)[]);
        foreach (var leg in legs)
        {
            if (leg.Range.Slice != slice)
            {
                var given = FormattableString.Invariant($"{spec.Id}/spec.json gives worker {worker} the {Describe(slice)}");
                throw Contradiction(spec, leg, $"it was made for the {Describe(leg.Range.Slice)}, and {given}");
            }

            var open = Documents(leg.Range.First, leg.Range.DoneBefore) - Documents(next, ahead);
            var follows = leg.Output.Leg == number + 1;
            if (leg.Range.First < next || open < 0 || (follows && (leg.Range.First != next || !leg.Range.DoneBefore.SequenceEqual(ahead))))
            {
                var expected = $"{Before(spec, worker, number)} {Position(next, ahead)}";
                throw Contradiction(spec, leg, $"it begins at document {Position(leg.Range.First, leg.Range.DoneBefore)}, and {expected}");
            }

            // Where several legs in a row are missing, the last of them stands for what all of them did.
            for (var lost = number + 1; lost < leg.Output.Leg; lost++)
                missing.Add(new MissingLeg(worker, lost, lost + 1 == leg.Output.Leg ? open : 0));
            (number, next, ahead) = (leg.Output.Leg, leg.Output.Next, leg.DoneAhead);
            last = leg;
        }

        return (missing, last);
    }

    private static string Before(RunSpec spec, int worker, int leg) =>
        leg == 0 ? "its worker's slice begins at" : $"{spec.Id}/{LegNames.Result(worker, leg)} ends at";

    private static string Position(long next, IReadOnlyList<Slice> ahead) =>
        FormattableString.Invariant($"{next} with {Documents(0, ahead)} done ahead");

    private static long Documents(long first, IReadOnlyList<Slice> ranges) => first + ranges.Sum(range => range.Count);

    private static EvidenceException Contradiction(RunSpec spec, LegResult leg, string reason) =>
        EvidenceException.Contradicts($"{spec.Id}/{LegNames.Result(leg.Output.Worker, leg.Output.Leg)}", reason, Advice);

    private static string Describe(Slice slice) =>
        slice.Count == 0 ? "empty slice" : FormattableString.Invariant($"documents {slice.First} to {slice.End - 1}");
}
