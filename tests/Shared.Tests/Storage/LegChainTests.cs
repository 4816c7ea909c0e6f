namespace ScaleOut.Tests.Shared.Storage;

/// <summary>Results of legs are checked against each other and against the spec: two workers with 100 documents each.</summary>
public sealed class LegChainTests
{
    private static readonly RunSpec Spec = new() { Id = "r", Documents = 200, Workers = 2 };

    private static readonly IReadOnlyList<WorkerOutcome> Done = [Outcome(0, WorkerState.Done), Outcome(1, WorkerState.Done)];

    [Fact]
    public void Check_EveryLegFollowsTheOneBefore_MissesNothing() => Assert.Empty(LegChain.Check(Spec, RunLegsOf(Legs0()), Done));

    [Fact]
    public void Check_ResultsThatContradictEachOther_IsAnErrorThatNamesBoth()
    {
        const string first = "r/legs/0000/000001/result.json", second = "r/legs/0000/000002/result.json";
        const string end = $", and {first} ends at 40 with 0 done ahead";
        var legs = Legs0();
        (LegResult[] Legs, string Item, string Reason)[] contradictions =
        [
            ([legs[0], Leg(0, 2, 30, 70), legs[2]], second, "it begins at document 30 with 0 done ahead" + end),
            ([legs[0], Leg(0, 2, 50, 70), legs[2]], second, "it begins at document 50 with 0 done ahead" + end),
            ([legs[0], Leg(0, 2, 40, 70, before: [new(45, 5)]), legs[2]], second, "it begins at document 40 with 5 done ahead" + end),
            ([Leg(0, 1, 10, 40), legs[1], legs[2]], first,
                "it begins at document 10 with 0 done ahead, and its worker's slice begins at 0 with 0 done ahead"),
            ([Leg(0, 1, 0, 40, slice: new NumberRange(0, 150)), legs[1], legs[2]], first,
                "it was made for the documents 0 to 149, and r/spec.json gives worker 0 the documents 0 to 99"),
            ([.. legs, Leg(2, 1, 200, 210, slice: new NumberRange(200, 10))], "r/legs/0002/000001/result.json",
                "it is of worker 2, and r/spec.json has 2 workers"),
        ];

        Assert.All(contradictions, one =>
        {
            var error = Assert.Throws<EvidenceException>(() => LegChain.Check(Spec, RunLegsOf(one.Legs), Done));
            Assert.Equal((EvidenceProblem.Contradiction, one.Item), (error.Problem, error.Item));
            Assert.StartsWith(one.Reason, error.Reason, StringComparison.Ordinal);
            Assert.Contains("delete it and resume the run", error.Message, StringComparison.Ordinal);
        });
    }

    [Theory]
    [InlineData(1, 40L)]
    [InlineData(2, 30L)]
    [InlineData(3, null)]
    public void Check_OneResultIsGone_MissesThatLeg(int gone, long? documents) =>
        Assert.Equal([new MissingLeg(0, gone, documents)],
            LegChain.Check(Spec, RunLegsOf([.. Legs0().Where(leg => leg.Output.Leg != gone)]), Done));

    [Fact]
    public void Check_TwoLegsInARowAreGone_CountsTheirDocumentsOnce() =>
        Assert.Equal([new MissingLeg(0, 1, 0), new MissingLeg(0, 2, 70)], LegChain.Check(Spec, RunLegsOf([Legs0()[2]]), Done));

    [Fact]
    public void Check_LaterLegTookOverNumbersDoneAhead_CountsThemAsMissing()
    {
        var last = Leg(0, 3, 70, 100, before: [new(80, 5)], end: LegEnd.SliceDone);
        Assert.Equal([new MissingLeg(0, 2, 35)], LegChain.Check(Spec, RunLegsOf([Legs0()[0], last]), Done));
    }

    [Fact]
    public void Check_WorkerThatWasStopped_MissesOnlyWhatWasSetAside()
    {
        IReadOnlyList<WorkerOutcome> stopped = [Outcome(0, WorkerState.Stopped), Outcome(1, WorkerState.Done)];
        var runLegs = RunLegsOf(Legs0()[..2]);
        var damaged = new DamagedItem(new LegName(0, 3, LegItem.Damaged, 1), "r/legs/0000/000003/result.json", "it is empty");
        Assert.Empty(LegChain.Check(Spec, runLegs, stopped));
        Assert.Equal([new MissingLeg(0, 3, null)], LegChain.Check(Spec, runLegs with { Damaged = [damaged] }, stopped));
    }

    private static RunLegs RunLegsOf(IEnumerable<LegResult> legs) =>
        new([.. legs, Leg(1, 1, 100, 200, slice: new NumberRange(100, 100), end: LegEnd.SliceDone)], LostLegs: 0);

    private static LegResult[] Legs0() => [Leg(0, 1, 0, 40), Leg(0, 2, 40, 70), Leg(0, 3, 70, 100, end: LegEnd.SliceDone)];

    private static LegResult Leg(
        int worker, int leg, long first, long next, NumberRange? slice = null, IReadOnlyList<NumberRange>? before = null,
        LegEnd end = LegEnd.TimeUp)
    {
        var done = next - first - (before ?? []).Sum(range => range.Count);
        var result = Legs.Leg(worker, leg, inserted: done, end: end);
        return result with { Output = result.Output with { Next = next }, Range = new(slice ?? new(0, 100), first, before ?? []) };
    }

    private static WorkerOutcome Outcome(int worker, WorkerState end) => new() { Worker = worker, End = end, Remaining = 0 };
}
