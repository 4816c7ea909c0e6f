namespace ScaleOut.Storage;

/// <summary>
/// Checks the results of legs against each other and against the spec. Each leg must begin where the previous one ended, so that no
/// document counts twice and none is left out.
/// </summary>
public static class LegChain
{
    private const string Advice =
        "One of the two items belongs to another run or was changed: restore the one that is right, or delete it and resume the run.";

    /// <summary>Finds the legs whose results are missing, by worker and leg.</summary>
    /// <param name="workers">Outcomes of the workers; empty if they have not ended.</param>
    /// <exception cref="EvidenceException">Two results, or a result and the spec, contradict each other.</exception>
    public static IReadOnlyList<MissingLeg> Check(RunSpec spec, RunLegs legs, IReadOnlyList<WorkerOutcome> workers)
    {
        var slices = Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        foreach (var result in legs.Results.Where(result => result.Output.Worker >= slices.Count))
            throw Contradiction(spec.Id!, result, FormattableString.Invariant(
                $"it is of worker {result.Output.Worker}, and {spec.Id}/spec.json has {slices.Count} workers (the first is worker 0)"));
        var byWorker = legs.Results.ToLookup(result => result.Output.Worker);
        var done = workers.Where(worker => worker.End == WorkerState.Done).Select(worker => worker.Worker).ToHashSet();
        var setAside = legs.Damaged
            .Where(item => item.Name.Item == LegItem.Damaged)
            .ToLookup(item => item.Name.Worker, item => item.Name.Leg);
        return [.. slices.SelectMany((slice, worker) =>
        {
            var (missing, last) = Check(spec.Id!, worker, slice, byWorker[worker]);
            var isWhole = last?.Output.End is LegEnd.SliceDone or LegEnd.StepsDone;
            // If a worker ended early, only a result that was set aside shows that there was another leg.
            var next = (last?.Output.Leg ?? 0) + 1;
            if (!isWhole && (done.Contains(worker) || setAside[worker].Any(leg => leg >= next)))
                missing.Add(new MissingLeg(worker, next, Documents: null));
            return missing;
        })];
    }

    /// <summary>Checks that a stored result belongs to a leg. It does not if the spec was changed in between.</summary>
    /// <exception cref="EvidenceException">The result does not belong to the leg.</exception>
    public static void EnsureFits(LegInput leg, LegResult kept)
    {
        EnsureSlice(leg.Assignment.RunId, leg.Assignment.Worker, leg.Assignment.Slice, kept);
        if (kept.Range.First != leg.Next)
            throw Contradiction(leg.Assignment.RunId, kept, FormattableString.Invariant(
                $"it begins at document {kept.Range.First}, and the leg before it ends at {leg.Next}"));
    }

    /// <summary>Checks that a leg without a result lies between the nearest results before and after it.</summary>
    /// <exception cref="EvidenceException">The leg does not lie between them.</exception>
    public static void EnsureAround(LegInput leg, LegResult? before, LegResult? after)
    {
        var assignment = leg.Assignment;
        foreach (var other in new[] { before, after }.OfType<LegResult>())
            EnsureSlice(assignment.RunId, assignment.Worker, assignment.Slice, other);
        if (before is not null && leg.Next < before.Output.Next)
            throw Contradiction(assignment.RunId, before, FormattableString.Invariant(
                $"it ends at document {before.Output.Next}, and leg {leg.Leg} is to begin at {leg.Next}"));
        if (after is not null && after.Range.First < leg.Next)
            throw Contradiction(assignment.RunId, after, FormattableString.Invariant(
                $"it begins at document {after.Range.First}, and leg {leg.Leg} before it at {leg.Next}"));
    }

    private static (List<MissingLeg> Missing, LegResult? Last) Check(
        string runId, int worker, NumberRange slice, IEnumerable<LegResult> legs)
    {
        LegResult? last = null;
        var missing = new List<MissingLeg>();
        var (number, next, ahead) = (0, slice.First, (IReadOnlyList<NumberRange>)[]);
        foreach (var leg in legs)
        {
            EnsureSlice(runId, worker, slice, leg);
            var open = Documents(leg.Range.First, leg.Range.DoneBefore) - Documents(next, ahead);
            var follows = leg.Output.Leg == number + 1;
            if (leg.Range.First < next || open < 0 || (follows && (leg.Range.First != next || !leg.Range.DoneBefore.SequenceEqual(ahead))))
            {
                var before = number == 0 ? "its worker's slice begins at" : $"{runId}/{LegNames.Result(worker, number)} ends at";
                var begins = $"it begins at document {Position(leg.Range.First, leg.Range.DoneBefore)}";
                throw Contradiction(runId, leg, $"{begins}, and {before} {Position(next, ahead)}");
            }

            // If several legs in a row are missing, the documents of all of them count for the last one.
            for (var lost = number + 1; lost < leg.Output.Leg; lost++)
                missing.Add(new MissingLeg(worker, lost, lost + 1 == leg.Output.Leg ? open : 0));
            (number, next, ahead, last) = (leg.Output.Leg, leg.Output.Next, leg.DoneAhead, leg);
        }

        return (missing, last);
    }

    private static void EnsureSlice(string runId, int worker, NumberRange slice, LegResult leg)
    {
        if (leg.Range.Slice != slice)
            throw Contradiction(runId, leg, FormattableString.Invariant(
                $"it was made for the {Describe(leg.Range.Slice)}, and {runId}/spec.json gives worker {worker} the {Describe(slice)}"));
    }

    private static string Position(long next, IReadOnlyList<NumberRange> ahead) =>
        FormattableString.Invariant($"{next} with {Documents(0, ahead)} done ahead");

    private static long Documents(long first, IReadOnlyList<NumberRange> ranges) => first + ranges.Sum(range => range.Count);

    private static EvidenceException Contradiction(string runId, LegResult leg, string reason) =>
        EvidenceException.Contradicts($"{runId}/{LegNames.Result(leg.Output.Worker, leg.Output.Leg)}", reason, Advice);

    private static string Describe(NumberRange slice) =>
        slice.Count == 0 ? "empty slice" : FormattableString.Invariant($"documents {slice.First} to {slice.End - 1}");
}
